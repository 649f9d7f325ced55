// The step sizes of a run, as its plan has them: what a schedule (engine/order/schedule.h) is made from.
// Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <string>

namespace hogwild {

struct StepSettings {
    std::string kind = "decay"; // constant | decay | inverse-time | linear | backoff
    double size = 0.1;          // step size of the first update, but for a warm-up
    double decay = 0.9;         // decay: factor per epoch. backoff: factor on a plateau.
    double half_life = 1.0;     // inverse-time: epochs after which the step has halved
    double plateau = 0.01;      // backoff: relative improvement per epoch below which the step shrinks
    double warm_up = 0;         // epochs over which steps rise to the schedule's; 0: none
};

/// Samples that have one step size and one scale of lazy L2 (engine/order/timeline.h).
inline constexpr std::uint32_t kCell = 256;

} // namespace hogwild
