// Copies of the parameter buffer along a run, and whoever wants them while it runs.
#pragma once

#include <cstdint>
#include <span>

namespace hogwild {

/// How far a run has come: samples stepped through by all workers, and the scale of lazy L2 there.
struct Moment {
    std::uint64_t updates = 0;
    double scale = 1;
};

/// A copy of the buffer: the weights are scale x values.
struct Snapshot {
    std::uint64_t number = 0; // of its observation
    bool taken = false;
    double seconds = 0;      // when the copy began; of a GPU's copy half way through it
    double ended = 0;        // when the last try did
    double copy_seconds = 0; // of all tries
    int tries = 0;
    std::uint64_t updates = 0;  // samples consumed half way through the copy
    std::uint64_t consumed = 0; // samples that all workers consumed from its beginning to its end
    double scale = 1;
    float* values = nullptr;
};

/// Is shown snapshots as they are taken.
class SnapshotSink {
public:
    virtual ~SnapshotSink() = default;

    /// On the clock: it should be brief. `losses`: those that step sizes were decided on so far (engine/order/schedule.h). The
    /// snapshot and its values stay as they are until `ended`; the losses until this returns. From any worker, from several
    /// at once.
    virtual void taken(const Snapshot& snapshot, std::span<const double> losses) = 0;

    /// The clock has stopped; snapshots change once this returns. Perhaps more than once. It throws nothing.
    virtual void ended() = 0;
};

} // namespace hogwild
