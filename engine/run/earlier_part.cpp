#include "engine/run/earlier_part.h"

#include "engine/order/schedule.h"
#include "engine/plan/plan.h"

#include <cmath>

#include <fmt/format.h>

namespace hogwild {
namespace {

bool is_time(double seconds) { return std::isfinite(seconds) && seconds >= 0; }

} // namespace

std::string why_not_taken(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot) {
    const std::uint64_t observations = std::uint64_t{plan.observations_per_epoch} * plan.epochs;
    const std::uint64_t samples = rows * plan.epochs;
    if (snapshot.number >= observations)
        return fmt::format("it is observation {}, the run takes {} before its last", snapshot.number, observations);
    if (snapshot.updates > samples || snapshot.consumed > samples)
        return fmt::format("it comes after {} samples, {} of them during its copy; the run has {}", snapshot.updates,
                           snapshot.consumed, samples);
    if (snapshot.number == 0 && snapshot.updates > 0)
        return fmt::format("observation 0 comes before the first sample, it comes after {}", snapshot.updates);
    if (!std::isfinite(snapshot.scale) || snapshot.scale <= 0)
        return fmt::format("its scale is {}, not above 0", snapshot.scale);
    if (!is_time(snapshot.seconds) || !is_time(snapshot.ended) || !is_time(snapshot.copy_seconds))
        return "one of its times is below 0 or not finite";
    return "";
}

std::string why_not_decided(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot,
                            std::span<const double> losses) {
    if (losses.size() > plan.epochs)
        return fmt::format("its steps were decided {} times in {} epochs", losses.size(), plan.epochs);
    const bool decides = !Schedule(plan.step, plan.epochs).known();
    if (decides && losses.size() < snapshot.updates / rows)
        return fmt::format("its steps were decided {} times in {} whole epochs", losses.size(),
                           snapshot.updates / rows);
    return "";
}

} // namespace hogwild
