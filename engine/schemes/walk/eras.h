// What happens between stretches: eras of the L2 scale, and step sizes that are decided during the run.
#pragma once

#include "engine/schemes/scheme.h"
#include "engine/workers/barrier.h"

#include <atomic>
#include <cstdint>
#include <functional>

namespace hogwild {

/// Brings all workers together where an era ends, and multiplies its scale into the buffer: each worker its slice, a GPU all; or
/// what a scheme with models of its own does instead.
/// Every worker calls `reach` with each chunk it is about to walk, rising, and at last with timeline.chunks(). At the first
/// era's end after an interrupt, or after a worker could not rescale and threw, all workers stop meeting.
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

/// Lets an epoch begin: at once where all steps are known, otherwise (backoff) once the first worker to get there has looked
/// at the loss of a few rows and decided. That look is on the clock; the others wait for it.
class EpochGate {
public:
    explicit EpochGate(Job& job);

    /// Before a chunk of the epoch is walked, once the eras that end before the epoch have ended. False: the run is
    /// interrupted, and the epoch may never begin.
    bool enter(std::uint32_t epoch);

    /// The epoch has begun.
    bool is_open(std::uint32_t epoch) const { return open_epochs() > epoch; }

    /// How many epochs have begun; from the start all, where all steps are known.
    std::uint32_t open_epochs() const { return ready_.load(std::memory_order_acquire); } // acquire: as in enter

private:
    static constexpr std::uint32_t kLossRows = 4096;

    void prepare(std::uint32_t epoch);

    Job& job_;
    std::vector<std::uint32_t> loss_rows_;
    std::atomic<std::uint32_t> deciding_{0}; // epochs that somebody prepares or has prepared
    std::atomic<std::uint32_t> ready_{0};    // epochs prepared
};

/// backoff: decides the epoch's step from the loss of `rows` under scale x weights, unless it is decided. Else nothing.
void decide_step(Job& job, std::uint32_t epoch, const std::vector<std::uint32_t>& rows, const float* weights,
                 double scale);

/// The rows whose loss the backoff protocol watches: the first of the run's order.
std::vector<std::uint32_t> watched_rows(const Job& job, std::uint32_t most);

} // namespace hogwild
