// Snapshots of weights that lie in device memory: copied within the device, fetched after the run. Only in builds with CUDA.
//
// Where workers go on, the copying kernel asks how many samples they have consumed, the GPU's streams and CPU threads, before
// and after the weights. The snapshot is said to be of the moment half way.
// Thread-safety: copies from several threads, each behind its own stream; the rest before or after the run. Errors: throws
// Error.
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/stream.h"
#include "engine/record/recorder.h"
#include "kernels/cuda/memory/snapshot.h"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace hogwild {

class SnapshotCopies {
public:
    /// Room for `most` snapshots, asked for beside `streams` streams. Where `counts` counts nothing, nobody goes on, and who
    /// asks for a copy says what it holds.
    SnapshotCopies(std::uint64_t most, const StoredWeights& weights, std::uint32_t columns,
                   const ProgressCounts& counts, unsigned streams);

    /// Just before the recorder's clock starts.
    void start(const Recorder& recorder, const Stream& stream);

    /// Behind what `stream` was given before, and ahead of what it is given next.
    void copy(const Stream& stream, Snapshot* to);

    /// Once `reached` has happened on stream number `stream`, while it goes on. By the thread that drives it.
    void copy_beside(unsigned stream, const Event& reached, Snapshot* to);

    /// Now, while all streams go on.
    void copy_now(Snapshot* to);

    /// Returns once the copies beside streams are made.
    void wait() const {
        for (const Stream& stream : beside_) stream.wait();
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
        Event begin, end;
    };

    void copy(std::uint64_t k, const Stream& stream, Snapshot* to);
    Snapshot& fetch_one(std::uint64_t k);
    std::size_t row_floats() const { return (std::size_t{columns_} + 31) / 32 * 32; } // whole cache lines

    StoredWeights weights_;
    std::uint32_t columns_;
    ProgressCounts counts_;
    std::vector<Copy> copies_;
    DeviceArray<float> values_;
    DeviceArray<CopyProgress> progress_; // of each snapshot
    std::vector<Stream> beside_;
    Stream now_ = Stream::urgent();
    std::mutex one_at_a_time_;
    std::atomic<std::uint64_t> taken_{0};
    const Recorder* recorder_ = nullptr;
    Event started_;
    Recorder::Clock::time_point start_; // when started_ happened
};

} // namespace hogwild
