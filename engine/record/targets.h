// Losses, or scores, fixed before tuning, and when a run first reached them.
//
//   target(f) = F* + f (F(w0) - F*)   for f = 1e-1, 1e-2, 1e-3; a ratio without another word means 1e-2.
//
// Pure functions of their arguments: any number of callers at once.
#pragma once

#include "engine/record/outcome.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace hogwild {

inline constexpr std::array<double, 3> kTargetFractions = {1e-1, 1e-2, 1e-3};

/// The loss at `fraction` of the way from a certified lower bound on F* (so that a target is never too easy) to F(w0).
/// Throws Error unless both are finite and optimum <= initial.
double target_at(double fraction, double optimum, double initial);

/// What reaching a target cost. Not reached: the run is a censored result, and the rest is kNone.
struct TimeToTarget {
    bool reached = false;
    double seconds = kNone;
    double updates = kNone; // samples consumed
    double epochs = kNone;
};

/// What is to reach a target.
struct Watched {
    std::optional<std::size_t> score; // its number in ProblemTraits::scores; nothing: train_loss
    bool rising = false;              // more of it is better
};

/// What an observation says of it.
double value_of(const Observation& observation, const Watched& watched);

/// The first time that what is watched comes from above `target` (if rising, from below) to it or beyond. It is
/// interpolated linearly between the two observations around the crossing. The first observation already there counts
/// as it stands. After one whose value is not finite there is nothing to interpolate with, and the later observation
/// counts. Observations are in order of time.
TimeToTarget time_to_target(std::span<const Observation> observations, double target, const Watched& watched = {});

} // namespace hogwild
