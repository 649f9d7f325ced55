// Eras of the L2 scale: where one ends, all workers meet.
#pragma once

#include "engine/schemes/scheme.h"
#include "engine/workers/barrier.h"

#include <cstdint>
#include <functional>

namespace hogwild {

/// Brings all workers together where an era ends, and multiplies its scale into the buffer: each worker its slice, a
/// GPU all. A scheme with models of its own does something else instead.
/// Every worker calls `reach` with each chunk it is about to walk, rising, and at last with timeline.chunks(). At the
/// first era's end after an interrupt, or after a worker could not rescale and threw, all workers stop meeting.
class Eras {
public:
    /// What one worker does at the end of an era of that number, while nobody steps.
    using Rescale = std::function<void(unsigned worker, float factor, std::uint64_t era)>;

    /// `walked`: a chunk of the era that the buffer is of.
    Eras(Job& job, unsigned workers, std::uint64_t walked);
    Eras(Job& job, unsigned workers, std::uint64_t walked, Rescale rescale);

    /// One worker's place.
    class Visitor {
    public:
        Visitor(Eras& eras, unsigned worker)
            : eras_(eras),
              worker_(worker),
              end_(eras.job_.timeline.era_end(eras.walked_)),
              passed_(eras.job_.timeline.eras_before(eras.walked_)) {}

        void reach(std::uint64_t g);

        /// Reaching chunk g, or its epoch, would wait for the others.
        bool due(std::uint64_t g) const { return end_ <= g && end_ < eras_.job_.timeline.chunks(); }

        /// Eras that have ended, those before this process included.
        std::uint64_t passed() const { return passed_; }

    private:
        Eras& eras_;
        unsigned worker_;
        std::uint64_t end_;
        std::uint64_t passed_;
    };

private:
    Job& job_;
    Rescale rescale_;
    std::uint64_t walked_;
    bool stop_ = false; // the run is interrupted: written by worker 0 before the barrier, read by all after it
    SpinBarrier barrier_;
};

} // namespace hogwild
