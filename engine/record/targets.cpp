#include "engine/record/targets.h"

#include "engine/error.h"

#include <cmath>

#include <fmt/format.h>

namespace hogwild {

double target_at(double fraction, double optimum, double initial) {
    if (!std::isfinite(optimum) || !std::isfinite(initial) || initial < optimum) {
        throw Error("no target can be fixed",
                    fmt::format("the optimum is {} and the initial loss {}", optimum, initial),
                    "give a finite optimum that is not above the initial loss");
    }
    return optimum + fraction * (initial - optimum);
}

double value_of(const Observation& observation, const Watched& watched) {
    return watched.score ? observation.scores.at(*watched.score) : observation.train_loss;
}

TimeToTarget time_to_target(std::span<const Observation> observations, double target, const Watched& watched) {
    const auto above = [&](const Observation& seen) { // the target; at most 0 where it is reached
        const double value = value_of(seen, watched);
        return watched.rising ? target - value : value - target;
    };
    std::size_t i = 0;
    while (i < observations.size() && !(above(observations[i]) <= 0)) ++i;
    if (i == observations.size()) return {};
    const Observation& after = observations[i];
    if (i == 0 || !std::isfinite(above(observations[i - 1]))) {
        return {true, after.seconds, static_cast<double>(after.updates), after.epoch};
    }
    const Observation& before = observations[i - 1];
    const double share = above(before) / (above(before) - above(after)); // in (0, 1]
    const auto between = [share](double from, double to) { return from + share * (to - from); };
    return {true, between(before.seconds, after.seconds),
            between(static_cast<double>(before.updates), static_cast<double>(after.updates)),
            between(before.epoch, after.epoch)};
}

} // namespace hogwild
