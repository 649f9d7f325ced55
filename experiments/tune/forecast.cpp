#include "experiments/tune/forecast.h"

#include <cmath>
#include <limits>

namespace hogwild {

double forecast(std::span<const Observation> observations, double target, double optimum, const Watched& watched) {
    constexpr double kNever = std::numeric_limits<double>::infinity();
    if (observations.empty()) return kNever;
    const double sign = watched.rising ? -1 : 1, first = sign * value_of(observations.front(), watched);
    double best = first, seconds = 0;
    for (const Observation& each : observations) {
        const double value = sign * value_of(each, watched);
        if (!(value < best)) continue;
        best = value;
        seconds = each.seconds;
    }
    if (!std::isfinite(first) || !(best < first) || !(seconds > 0)) return kNever;
    const double goal = sign * target;
    if (watched.score || !std::isfinite(optimum)) return seconds * (first - goal) / (first - best);
    if (!(best > optimum)) return seconds; // as good as it gets
    return seconds * std::log((first - optimum) / (goal - optimum)) / std::log((first - optimum) / (best - optimum));
}

} // namespace hogwild
