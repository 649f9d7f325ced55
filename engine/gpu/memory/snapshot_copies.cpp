#include "engine/gpu/memory/snapshot_copies.h"

#include "engine/machine/profiler_range.h"

#include <algorithm>

namespace hogwild {

SnapshotCopies::SnapshotCopies(std::uint64_t most, const StoredWeights& weights, std::uint32_t columns,
                               const ProgressCounts& counts, unsigned streams)
    : weights_(weights),
      columns_(columns),
      counts_(counts),
      copies_(most),
      values_(most * row_floats()),
      progress_(zeros<CopyProgress>(most)) {
    for (unsigned k = 0; k < streams; ++k) beside_.push_back(Stream::urgent());
    if (most == 0) return;
    copy(0, now_, nullptr); // once off the clock: code reaches a device when it is first launched
    clear(progress_, now_.get());
    now_.wait();
}

void SnapshotCopies::start(const Recorder& recorder, const Stream& stream) {
    recorder_ = &recorder;
    start_ = Recorder::Clock::now();
    started_.record(stream);
    started_.wait();
    start_ += (Recorder::Clock::now() - start_) / 2;
}

void SnapshotCopies::copy(const Stream& stream, Snapshot* to) {
    copy(taken_.fetch_add(1, std::memory_order_relaxed), stream, to);
}

void SnapshotCopies::copy_beside(unsigned stream, const Event& reached, Snapshot* to) {
    check(cudaStreamWaitEvent(beside_[stream].get(), reached.get(), 0), "waiting for steps");
    copy(beside_[stream], to);
}

void SnapshotCopies::copy_now(Snapshot* to) {
    const std::lock_guard lock(one_at_a_time_);
    copy(now_, to);
}

void SnapshotCopies::copy(std::uint64_t k, const Stream& stream, Snapshot* to) {
    const ProfilerRange range("snapshot");
    Copy& copy = copies_[k];
    copy.to = to;
    copy.begin.record(stream);
    check(copy_snapshot(weights_, values_.data() + k * row_floats(), columns_, counts_, progress_.data() + k,
                        stream.get()),
          "copying a snapshot");
    copy.end.record(stream);
}

Snapshot& SnapshotCopies::fetch_one(std::uint64_t k) {
    const Copy& copy = copies_[k];
    Snapshot& snapshot = *copy.to;
    check(cudaMemcpy(snapshot.values, values_.data() + k * row_floats(), columns_ * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "fetching a snapshot");
    snapshot.copy_seconds = copy.end.seconds_since(copy.begin);
    snapshot.seconds = recorder_->seconds_at(start_) + copy.begin.seconds_since(started_) + snapshot.copy_seconds / 2;
    snapshot.tries = 1;
    if (counts_.streams != nullptr) {
        CopyProgress progress;
        check(cudaMemcpy(&progress, progress_.data() + k, sizeof(progress), cudaMemcpyDeviceToHost), "fetching counts");
        const auto after = std::max(progress.after, progress.before);
        snapshot.updates = std::max<std::uint64_t>(snapshot.updates, progress.before + (after - progress.before) / 2);
    }
    snapshot.taken = true;
    return snapshot;
}

} // namespace hogwild
