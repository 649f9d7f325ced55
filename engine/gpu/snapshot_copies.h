// Snapshots of weights that lie in device memory: copied within the device, fetched after the run. Only in builds with CUDA.
//
// Where workers go on, how many samples they have consumed, the GPU's streams and CPU threads, is copied before and after the
// weights; the snapshot is said to be of the moment half way.
// Thread-safety: copies from several threads, each behind its own stream; the rest before or after the run. Errors: throws
// Error.
#pragma once

#include "engine/gpu/device_memory.h"
#include "engine/gpu/stream.h"
#include "engine/record/recorder.h"
#include "engine/timeline.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace hogwild {

class SnapshotCopies {
public:
    /// What was consumed so far: on the device, by its streams; in page-locked memory, by CPU threads.
    struct Progress {
        const unsigned long long* streams = nullptr; // null: nobody goes on, and who asks for a copy says what it holds
        std::span<const PublishedCount> threads = {};
    };

    /// Room for `most` snapshots.
    SnapshotCopies(std::uint64_t most, const float* weights, std::uint32_t columns, const Progress& progress);

    /// When the recorder's clock has started.
    void start(const Recorder& recorder, const Stream& stream);

    /// Behind what `stream` was given before, and ahead of what it is given next.
    void copy(const Stream& stream, Snapshot* to);

    /// Behind what `stream` was given before, while it goes on with what it is given next.
    void copy_beside(const Stream& stream, Snapshot* to);

    /// Now, while all streams go on.
    void copy_now(Snapshot* to);

    /// Returns once the copies beside streams are made.
    void wait() const {
        behind_.wait();
        now_.wait();
    }

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

    /// A count as it lies in memory.
    struct Line {
        std::uint64_t count = 0;
        std::uint64_t unused[7] = {};
    };
    static_assert(sizeof(Line) == sizeof(PublishedCount));

    void copy(std::uint64_t k, const Stream& stream, Snapshot* to);
    void copy_counts(std::uint64_t number, const Stream& stream);
    std::uint64_t fetch_counts(std::uint64_t number) const;
    Snapshot& fetch_one(std::uint64_t k);
    std::size_t row_floats() const { return (std::size_t{columns_} + 31) / 32 * 32; } // whole cache lines

    const float* weights_;
    std::uint32_t columns_;
    Progress progress_;
    std::vector<Copy> copies_;
    DeviceArray<float> values_;
    DeviceArray<Line> counts_; // two for each snapshot: a line for the streams, then the threads' lines
    Stream behind_;            // copies behind steps
    Stream now_;
    std::mutex one_at_a_time_;
    std::atomic<std::uint64_t> taken_{0};
    Event started_;
    double offset_ = 0; // of started_ on the recorder's clock
};

} // namespace hogwild
