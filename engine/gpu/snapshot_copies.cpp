#include "engine/gpu/snapshot_copies.h"

namespace hogwild {

SnapshotCopies::SnapshotCopies(std::uint64_t most, const float* weights, std::uint32_t columns,
                               const unsigned long long* consumed)
    : weights_(weights),
      columns_(columns),
      consumed_(consumed),
      copies_(most),
      values_(most * row_floats()),
      counts_(most) {
    check(cudaMemset(counts_.data(), 0, counts_.bytes()), "clearing counts");
    check(cudaDeviceSynchronize(), "clearing counts");
    if (most == 0) return;
    copy(0, beside_, nullptr); // once off the clock: the first copy of a kind is slow
    beside_.wait();
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
    check(cudaStreamWaitEvent(beside_.get(), copies_[k].reached.get(), 0), "waiting for steps");
    copy(k, beside_, to);
}

void SnapshotCopies::copy_now(Snapshot* to) {
    const std::lock_guard lock(one_at_a_time_);
    copy(beside_, to);
}

void SnapshotCopies::copy(std::uint64_t k, const Stream& stream, Snapshot* to) {
    const auto within = [&](void* to_there, const void* from, std::size_t bytes) {
        check(cudaMemcpyAsync(to_there, from, bytes, cudaMemcpyDefault, stream.get()), "copying a snapshot");
    };
    Copy& copy = copies_[k];
    copy.to = to;
    copy.begin.record(stream);
    if (consumed_ != nullptr) within(&counts_.data()[k].before, consumed_, sizeof(*consumed_));
    within(values_.data() + k * row_floats(), weights_, columns_ * sizeof(float));
    if (consumed_ != nullptr) within(&counts_.data()[k].after, consumed_, sizeof(*consumed_));
    copy.end.record(stream);
}

Snapshot& SnapshotCopies::fetch_one(std::uint64_t k) {
    const Copy& copy = copies_[k];
    Snapshot& snapshot = *copy.to;
    Counts counts;
    check(cudaMemcpy(&counts, counts_.data() + k, sizeof(counts), cudaMemcpyDeviceToHost), "fetching counts");
    check(cudaMemcpy(snapshot.values, values_.data() + k * row_floats(), columns_ * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "fetching a snapshot");
    snapshot.seconds = offset_ + copy.begin.seconds_since(started_);
    snapshot.copy_seconds = copy.end.seconds_since(copy.begin);
    snapshot.tries = 1;
    snapshot.updates += counts.before + (counts.after - counts.before) / 2;
    snapshot.taken = true;
    return snapshot;
}

} // namespace hogwild
