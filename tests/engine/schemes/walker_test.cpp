#include "engine/schemes/walker.h"

#include "kernels/power.h"
#include "tests/engine/schemes/toy_run.h"

#include <doctest/doctest.h>

#include <utility>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRows = 256;
constexpr float kValue = 0x1p-10f;

/// One coordinate, margins far below hinge's kink: a step at scale s adds step / (s x decay) x value.
Dataset alike() {
    TestSamples samples;
    samples.columns = 1;
    for (std::uint32_t i = 0; i < kRows; ++i) samples.add(1.0f, {0}, {kValue});
    return toy_dataset(std::move(samples));
}

} // namespace

TEST_CASE("walked among others, the scale falls by what they consume beside each step, too") {
    const Dataset data = alike();
    const SparseView view = data.view();
    Plan plan = toy_plan("hogwild");
    plan.epochs = 1;
    Schedule schedule(plan.step);
    Timeline timeline(plan, kRows);
    ParameterBuffer buffer(1);
    Recorder recorder(1, timeline.observations(), 1 << 20);
    WorkerTeam team(1, Pin::kNone);
    WorkerContexts contexts(plan, view, 1, false);
    Job job{plan,
            view,
            sparse_kernels<Hinge>(),
            InstructionSet::kScalar,
            schedule,
            timeline,
            buffer,
            recorder,
            team,
            contexts,
            false,
            nullptr,
            nullptr};
    Walker walker(job, steps_kernel(job, "racy", "none", "off"), contexts[0]);
    const Pace pace{0.25, 1.0 - 1e-4, 0.5};
    double expected = 0;
    std::uint32_t first = 0;
    for (const auto& [beside, steps] : {std::pair{0u, 32u}, {40u, 32u}, {7u, 32u}, {1'000u, 4u}}) {
        walker.queue({0, first, steps});
        walker.walk_among(pace, beside);
        for (std::uint32_t i = 0; i < steps; ++i) {
            expected += pace.step / (pace.scale * power(pace.decay, i * (1 + std::uint64_t{beside}) + 1)) * kValue;
        }
        CHECK(buffer.data()[0] == doctest::Approx(expected).epsilon(1e-5));
        first += steps;
    }
}
