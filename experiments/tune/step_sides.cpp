#include "experiments/tune/step_sides.h"

#include "engine/plan/plan.h"
#include "experiments/tune/arms.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hogwild {

std::vector<std::size_t> beside(const std::vector<Plan>& plans, std::size_t arm) {
    std::vector<std::size_t> steps = neighbours(plans, arm);
    std::erase_if(steps, [&](std::size_t other) { return plans[other].step.size == plans[arm].step.size; });
    return steps;
}

StepSides step_sides(const Race& race, const std::vector<Contender>& finalists, std::size_t arm,
                     const std::vector<std::size_t>& steps, bool searched) {
    double needed = std::numeric_limits<double>::infinity();
    for (const Rung& rung : race.rungs) {
        for (const Standing& each : rung.order)
            if (each.arm == arm && each.measured) needed = std::min(needed, length_of(each));
    }
    const auto is_tried = [&](std::size_t step) {
        if (std::ranges::find(finalists, step, &Contender::arm) != finalists.end()) return true;
        return std::ranges::any_of(race.rungs, [&](const Rung& rung) {
            const bool ran = std::ranges::find(rung.order, step, &Standing::arm) != rung.order.end();
            return ran && std::ldexp(1.0, static_cast<int>(rung.doublings)) >= needed;
        });
    };
    if (!std::ranges::all_of(steps, is_tried)) return StepSides::kUntried;
    return searched && steps.size() < 2 ? StepSides::kEdge : StepSides::kTried;
}

} // namespace hogwild
