// Whether a best step is said to have been tried on both sides.
#include "engine/plan/plan.h"
#include "experiments/tune/step_sides.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

constexpr std::size_t kMiddle = 1;

Rung rung(unsigned doublings, const std::vector<std::size_t>& arms, bool measured, double needs) {
    Rung of{.doublings = doublings, .order = {}};
    for (const std::size_t arm : arms)
        of.order.push_back({.arm = arm, .doublings = doublings, .measured = measured, .needs = needs, .runs = 1});
    return of;
}

/// The best step took five lengths of a run of eight; 0 and 2 lie beside it.
Race race(const Rung& more) {
    Race of;
    of.rungs = {rung(0, {0, kMiddle, 2}, false, 9), rung(3, {kMiddle}, true, 0.625), more};
    return of;
}

} // namespace

TEST_CASE(
    "a step is tried by a run that is as long as the best one took, got there or not, and by none that is shorter") {
    for (const bool got_there : {true, false}) {
        CHECK(step_sides(race(rung(3, {0, 2}, got_there, 1)), {}, kMiddle, {0, 2}, true) == StepSides::kTried);
        CHECK(step_sides(race(rung(2, {0, 2}, got_there, 1)), {}, kMiddle, {0, 2}, true) == StepSides::kUntried);
        CHECK(step_sides(race(rung(4, {2}, got_there, 1)), {}, kMiddle, {0, 2}, true) == StepSides::kUntried);
    }
}

TEST_CASE("who met in the finals is tried, whatever its runs before") {
    CHECK(step_sides(race(rung(4, {2}, true, 1)), {{kMiddle, 3}, {0, 3}}, kMiddle, {0, 2}, true) == StepSides::kTried);
    CHECK(step_sides(race(rung(0, {2}, true, 1)), {{kMiddle, 3}, {0, 3}}, kMiddle, {0, 2}, true) ==
          StepSides::kUntried);
}

TEST_CASE("the last step of a searched list is an edge, of a given one none, and an untried step comes first") {
    const Race tried = race(rung(3, {0}, true, 1)), untried = race(rung(1, {0}, true, 1));
    CHECK(step_sides(tried, {}, kMiddle, {0}, true) == StepSides::kEdge);
    CHECK(step_sides(tried, {}, kMiddle, {0}, false) == StepSides::kTried);
    CHECK(step_sides(untried, {}, kMiddle, {0}, true) == StepSides::kUntried);
    CHECK(step_sides(untried, {}, kMiddle, {0}, false) == StepSides::kUntried);
    CHECK(step_sides(tried, {}, kMiddle, {}, false) == StepSides::kTried);
}

TEST_CASE("where the best one never got there, no length is long enough") {
    Race never = race(rung(4, {0, 2}, true, 1));
    never.rungs[1] = rung(3, {kMiddle}, false, 2);
    CHECK(step_sides(never, {}, kMiddle, {0, 2}, true) == StepSides::kUntried);
}

TEST_CASE("beside a plan lie those of the next smaller and the next larger step, alike in all else") {
    std::vector<Plan> plans(6);
    const double sizes[] = {0.5, 0.1, 1, 0.3, 0.6, 0.2};
    for (std::size_t i = 0; i < plans.size(); ++i) plans[i].step.size = sizes[i];
    plans[4].threads = plans[0].threads + 1;
    CHECK(beside(plans, 0) == std::vector<std::size_t>{3, 2});
    CHECK(beside(plans, 2) == std::vector<std::size_t>{0});
    CHECK(beside(plans, 4).empty());
}
