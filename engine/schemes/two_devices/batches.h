// How many samples the next steps of CPU threads take, and those of a GPU, as the devices' steps are counted.
//
// Where steps take no batches, or one device steps, that never changes, and claims are as if nobody asked. Each of two
// devices has a rule (engine/schemes/two_devices/batch_rule.h); a round is two steps of each of its workers, threads or
// teams. Claims hold whole batches where a stretch goes as far. A chunk is a batch of `plan.batch.size`, or some
// (engine/order/timeline.h), and larger batches are so many chunks.
//
// Thread-safety: any worker at any time, `made` and `set` the worker itself; `totals` once none steps. Who asks while another looks
// is told what holds until then.
#pragma once

#include "engine/order/timeline.h"
#include "engine/record/outcome.h"
#include "engine/record/recorder.h"
#include "engine/schemes/two_devices/batch_rule.h"
#include "engine/schemes/walk/consumed.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class Batches {
public:
    Batches(const Plan& plan, const Timeline& timeline, const Recorder& recorder);

    /// Samples of a thread's next steps, of a stream's.
    std::uint32_t of_thread() { return next(kThreads); }
    std::uint32_t of_stream() { return next(kStreams); }

    /// A thread has stepped through so many samples, by such batches.
    void made(unsigned thread, std::uint32_t samples, std::uint32_t batch) {
        if (counts_) steps_[kThreads].add(thread, (samples + batch - 1) / batch);
    }

    /// A stream has made so many steps in all.
    void set(unsigned stream, std::uint64_t steps) {
        if (counts_) steps_[kStreams].set(stream, steps);
    }

    /// Chunks that a thread steps through together.
    std::uint64_t chunks(std::uint32_t batch) const { return counts_ ? std::max<std::uint64_t>(1, batch / chunk_) : 1; }

    /// Chunks that a stream claims where `most` are wanted: as many whole batches for each of its teams, one at least.
    /// They are not many where they are to be judged, since a device tells of steps when a launch ends.
    std::uint64_t stretch(std::uint32_t batch, std::uint64_t most) const {
        if (!parted_) return most;
        const std::uint64_t each = teams_ * chunks(batch);
        return std::max(each, std::min(most, adapts_ ? kMostSteps * each : most) / each * each);
    }

    /// The totals of two devices that step by batches; else nothing.
    BatchTotals totals();

private:
    static constexpr std::uint64_t kMostSteps = 8; // of a team, between two looks

    enum Side : std::size_t { kThreads, kStreams, kSides };

    /// A device's, on cache lines of its own.
    struct alignas(64) Device {
        Device(const Plan& plan, std::uint32_t first, std::uint64_t workers);

        std::mutex looks; // guards rule and changes
        BatchRule rule;
        std::vector<BatchChange> changes;
        std::atomic<std::uint32_t> batch; // rule's
    };

    std::uint32_t next(Side side);

    const Recorder& recorder_;
    std::uint32_t least_;
    std::uint32_t chunk_;
    std::uint64_t teams_; // of a stream
    bool counts_;         // two devices step, by batches
    bool parted_;         // and theirs differ, or may
    bool adapts_;
    std::array<std::vector<PublishedCount>, kSides> lines_; // steps of each worker
    std::array<Consumed, kSides> steps_;
    std::array<Device, kSides> devices_;
};

} // namespace hogwild
