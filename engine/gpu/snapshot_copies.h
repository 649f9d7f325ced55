// Snapshots of weights that lie in device memory: copied within the device, fetched after the run. Only in builds with CUDA.
//
// Where workers go on, how many samples the GPU has stepped through is copied before and after the weights; the snapshot is said
// to be of the moment half way. They are added to the snapshot's `updates`, which hold what is known without.
// Thread-safety: copies from several threads, each behind its own stream; the rest before or after the run. Errors: throws
// Error.
#pragma once

#include "engine/gpu/device_memory.h"
#include "engine/gpu/stream.h"
#include "engine/record/recorder.h"
#include "engine/timeline.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace hogwild {

class SnapshotCopies {
public:
    /// Room for `most` snapshots. `consumed`: on the device, the samples stepped through so far; null: they are known.
    SnapshotCopies(std::uint64_t most, const float* weights, std::uint32_t columns, const unsigned long long* consumed);

    /// When the recorder's clock has started.
    void start(const Recorder& recorder, const Stream& stream);

    /// Behind what `stream` was given before, and ahead of what it is given next.
    void copy(const Stream& stream, Snapshot* to);

    /// Behind what `stream` was given before, while it goes on with what it is given next.
    void copy_beside(const Stream& stream, Snapshot* to);

    /// Now, while all streams go on.
    void copy_now(Snapshot* to);

    /// Returns once the copies beside streams are made.
    void wait() const { beside_.wait(); }

    /// When all streams have stopped: fills the snapshots, once. `scale_at`: of lazy L2 after so many samples.
    template <class ScaleAt>
    void fetch(const ScaleAt& scale_at) {
        for (std::uint64_t k = 0; k < taken_.load(std::memory_order_relaxed); ++k) {
            Snapshot& snapshot = fetch_one(k);
            snapshot.scale = scale_at(snapshot.updates);
        }
    }

private:
    struct Copy {
        Snapshot* to = nullptr;
        Event reached{cudaEventDisableTiming}, begin, end;
    };

    struct Counts {
        unsigned long long before = 0, after = 0;
    };

    void copy(std::uint64_t k, const Stream& stream, Snapshot* to);
    Snapshot& fetch_one(std::uint64_t k);
    std::size_t row_floats() const { return (std::size_t{columns_} + 31) / 32 * 32; } // whole cache lines

    const float* weights_;
    std::uint32_t columns_;
    const unsigned long long* consumed_;
    std::vector<Copy> copies_;
    DeviceArray<float> values_;
    DeviceArray<Counts> counts_;
    Stream beside_;
    std::mutex one_at_a_time_;
    std::atomic<std::uint64_t> taken_{0};
    Event started_;
    double offset_ = 0; // of started_ on the recorder's clock
};

} // namespace hogwild
