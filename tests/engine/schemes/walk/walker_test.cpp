#include "engine/plan/plan.h"
#include "engine/schemes/walk/walker.h"

#include "kernels/numbers/power.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <utility>

using namespace hogwild;

TEST_CASE("walked among others, the scale falls by what they consume beside each step, too") {
    constexpr float kValue = 0x1p-10f; // a step at scale s adds step / (s x decay) x value
    const Dataset data = alike(256, 1, kValue);
    Plan plan = toy_plan("hogwild");
    plan.epochs = 1;
    ToyJob toy(plan, data.view());
    Walker walker(toy.job, steps_kernel(toy.job, "racy", "none", "off"), toy.contexts[0]);
    const Pace pace{0.25, 1.0 - 1e-4, 0.5};
    double expected = 0;
    std::uint32_t first = 0;
    for (const auto& [beside, steps] : {std::pair{0u, 32u}, {40u, 32u}, {7u, 32u}, {1'000u, 4u}}) {
        walker.queue({0, first, steps});
        walker.walk_among(pace, beside, plan.batch.size);
        for (std::uint32_t i = 0; i < steps; ++i) {
            expected += pace.step / (pace.scale * power(pace.decay, i * (1 + std::uint64_t{beside}) + 1)) * kValue;
        }
        CHECK(toy.buffer.data()[0] == doctest::Approx(expected).epsilon(1e-5));
        first += steps;
    }
}
