// Step sizes that are decided during the run: who decides them, and how epochs wait for it.
#pragma once

#include "engine/schemes/scheme.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hogwild {

/// Lets an epoch begin. Where all steps are known that is at once. Otherwise (backoff) the first worker to get there
/// looks at the loss of a few rows and decides. That look is on the clock; the others wait for it.
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
