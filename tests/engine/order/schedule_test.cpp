#include "engine/order/schedule.h"
#include "engine/plan/plan.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

Plan::Step step(const std::string& kind) {
    Plan::Step step;
    step.kind = kind;
    step.size = 2.0;
    step.decay = 0.5;
    step.half_life = 3.0;
    step.plateau = 0.1;
    return step;
}

} // namespace

TEST_CASE("a constant step stays") {
    const Schedule schedule(step("constant"), 10);
    CHECK(schedule.step(0, 0.0) == 2.0);
    CHECK(schedule.step(9, 0.5) == 2.0);
}

TEST_CASE("decay multiplies once an epoch") {
    const Schedule schedule(step("decay"), 10);
    CHECK(schedule.step(0, 0.9) == 2.0);
    CHECK(schedule.step(1, 0.0) == 1.0);
    CHECK(schedule.step(3, 0.5) == 0.25);
}

TEST_CASE("inverse time halves after its half-life") {
    const Schedule schedule(step("inverse-time"), 10);
    CHECK(schedule.step(0, 0.0) == 2.0);
    CHECK(schedule.step(3, 0.0) == 1.0);
    CHECK(schedule.step(1, 0.5) == 2.0 / 1.5); // within an epoch, too
    CHECK(schedule.step(9, 0.0) == 0.5);
}

TEST_CASE("linear falls to nothing along the whole run, and stays at a ten-thousandth of the first step") {
    const Schedule schedule(step("linear"), 10);
    const double first = schedule.step(0, 0);
    CHECK(first == step("linear").size);
    CHECK(schedule.step(2, 0.5) == doctest::Approx(0.75 * first));
    CHECK(schedule.step(9, 0.5) == doctest::Approx(0.05 * first));
    CHECK(schedule.step(9, 0.99999) == doctest::Approx(1e-4 * first));
    CHECK(schedule.known());
}

TEST_CASE("backoff shrinks the step on a plateau and only there") {
    Schedule schedule(step("backoff"), 5);
    CHECK_FALSE(schedule.known());
    schedule.decide(1.0); // the first look decides nothing
    CHECK(schedule.step(0, 0.0) == 2.0);
    schedule.decide(0.8); // improved by a fifth
    CHECK(schedule.step(1, 0.0) == 2.0);
    schedule.decide(0.79); // by about a hundredth
    CHECK(schedule.step(2, 0.0) == 1.0);
    schedule.decide(0.9); // worse
    CHECK(schedule.step(3, 0.0) == 0.5);
    schedule.decide(0.8); // improved on the last look, though not on the best
    CHECK(schedule.step(4, 0.0) == 0.5);

    Schedule again(step("backoff"), 5);
    for (const double loss : schedule.losses()) again.decide(loss);
    CHECK(schedule.losses().size() == 5);
    CHECK(again.step(4, 0.0) == 0.5);
}

TEST_CASE("a warm-up rises linearly from a ten-thousandth to the schedule, which it then leaves as it is") {
    for (const std::string kind : {"constant", "decay", "inverse-time", "linear", "backoff"}) {
        CAPTURE(kind);
        Plan::Step warm = step(kind);
        const Schedule without(warm, 10);
        warm.warm_up = 2.5;
        const Schedule schedule(warm, 10);
        CHECK(schedule.step(0, 0.0) == 1e-4 * without.step(0, 0.0));
        CHECK(schedule.step(0, 0.5) == doctest::Approx(0.2 * without.step(0, 0.5)));
        CHECK(schedule.step(1, 0.25) == doctest::Approx(0.5 * without.step(1, 0.25)));
        CHECK(schedule.step(2, 0.25) == doctest::Approx(0.9 * without.step(2, 0.25)));
        for (const double within : {0.5, 0.75}) CHECK(schedule.step(2, within) == without.step(2, within));
        for (std::uint32_t epoch = 3; epoch < 10; ++epoch) CHECK(schedule.step(epoch, 0.1) == without.step(epoch, 0.1));
        CHECK(schedule.known() == without.known());
    }
}

TEST_CASE("backoff meets no plateau in epochs that begin within the warm-up") {
    Plan::Step warm = step("backoff");
    warm.warm_up = 1.5;
    Schedule schedule(warm, 5);
    for (const double loss : {1.0, 1.0, 1.0}) schedule.decide(loss); // after the epochs 0 and 1
    CHECK(schedule.step(2, 0.0) == 2.0);
    schedule.decide(1.0);
    CHECK(schedule.step(3, 0.0) == 1.0);
}
