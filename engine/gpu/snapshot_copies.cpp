#include "engine/gpu/snapshot_copies.h"

namespace hogwild {

SnapshotCopies::SnapshotCopies(std::uint64_t most, const float* weights, std::uint32_t columns,
                               const Progress& progress)
    : weights_(weights),
      columns_(columns),
      progress_(progress),
      copies_(most),
      values_(most * row_floats()),
      counts_(zeros<Line>(progress.streams == nullptr ? 0 : 2 * most * (1 + progress.threads.size()))) {
    if (most == 0) return;
    copy(0, behind_, nullptr); // once off the clock: the first copy of a kind is slow
    behind_.wait();
}

void SnapshotCopies::start(const Recorder& recorder, const Stream& stream) {
    const double before = recorder.seconds();
    started_.record(stream);
    started_.wait();
    offset_ = (before + recorder.seconds()) / 2;
}

void SnapshotCopies::copy(const Stream& stream, Snapshot* to) {
    copy(taken_.fetch_add(1, std::memory_order_relaxed), stream, to);
}

void SnapshotCopies::copy_beside(const Stream& stream, Snapshot* to) {
    const std::lock_guard lock(one_at_a_time_);
    const std::uint64_t k = taken_.fetch_add(1, std::memory_order_relaxed);
    copies_[k].reached.record(stream);
    check(cudaStreamWaitEvent(behind_.get(), copies_[k].reached.get(), 0), "waiting for steps");
    copy(k, behind_, to);
}

void SnapshotCopies::copy_now(Snapshot* to) {
    const std::lock_guard lock(one_at_a_time_);
    copy(now_, to);
}

void SnapshotCopies::copy(std::uint64_t k, const Stream& stream, Snapshot* to) {
    Copy& copy = copies_[k];
    copy.to = to;
    copy.begin.record(stream);
    copy_counts(2 * k, stream);
    check(cudaMemcpyAsync(values_.data() + k * row_floats(), weights_, columns_ * sizeof(float), cudaMemcpyDefault,
                          stream.get()),
          "copying a snapshot");
    copy_counts(2 * k + 1, stream);
    copy.end.record(stream);
}

void SnapshotCopies::copy_counts(std::uint64_t number, const Stream& stream) {
    if (progress_.streams == nullptr) return;
    Line* const to = counts_.data() + number * (1 + progress_.threads.size());
    check(cudaMemcpyAsync(to, progress_.streams, sizeof(*progress_.streams), cudaMemcpyDefault, stream.get()),
          "copying a count");
    if (progress_.threads.empty()) return;
    check(cudaMemcpyAsync(to + 1, progress_.threads.data(), progress_.threads.size_bytes(), cudaMemcpyDefault,
                          stream.get()),
          "copying counts");
}

std::uint64_t SnapshotCopies::fetch_counts(std::uint64_t number) const {
    std::vector<Line> lines(1 + progress_.threads.size());
    check(cudaMemcpy(lines.data(), counts_.data() + number * lines.size(), lines.size() * sizeof(Line),
                     cudaMemcpyDeviceToHost),
          "fetching counts");
    std::uint64_t sum = 0;
    for (const Line& line : lines) sum += line.count;
    return sum;
}

Snapshot& SnapshotCopies::fetch_one(std::uint64_t k) {
    const Copy& copy = copies_[k];
    Snapshot& snapshot = *copy.to;
    check(cudaMemcpy(snapshot.values, values_.data() + k * row_floats(), columns_ * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "fetching a snapshot");
    snapshot.seconds = offset_ + copy.begin.seconds_since(started_);
    snapshot.copy_seconds = copy.end.seconds_since(copy.begin);
    snapshot.tries = 1;
    if (progress_.streams != nullptr) {
        const std::uint64_t before = fetch_counts(2 * k), after = fetch_counts(2 * k + 1);
        snapshot.updates = before + (after - before) / 2;
    }
    snapshot.taken = true;
    return snapshot;
}

} // namespace hogwild
