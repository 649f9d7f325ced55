// Lazy L2 where CPU threads and streams step together: each takes the scale of the moment.
//
// Say that T samples all add the same, whatever came before. They leave step x value x sum of (1 - step x lambda)^(T -
// t). That is about value / lambda once T is long. Who takes the scale of an older moment adds too little.
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "tests/device.h"
#include "tests/engine/toys/toy_run.h"

#include <numeric>

using namespace hogwild;

namespace {

constexpr std::uint32_t kPacedRows = 400'000, kColumns = 64;
constexpr float kValue = 0.1f;

Plan on_both(const std::string& memory, double l2) {
    Plan plan = toy_plan("hogwild", 4);
    plan.update = "atomic";
    plan.device = "both";
    plan.memory = memory;
    plan.gpu.streams = 1;
    plan.gpu.blocks = 2;
    plan.epochs = 6;
    plan.l2 = l2;
    plan.step.kind = "constant";
    plan.step.size = 0.02;
    return plan;
}

double sum_of(const Outcome& outcome) { return std::accumulate(outcome.weights.begin(), outcome.weights.end(), 0.0); }

} // namespace

// Holds where a round of the bridge takes few samples beside 1 / (step x lambda): under a tool it takes a hundred thousand.
TEST_CASE("threads beside streams add what the moment's scale says, within an era and across" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Dataset data = alike(kPacedRows, kColumns, kValue);
    for (const std::string memory : {"replica", "managed-device"}) {
        for (const double l2 : {2e-4, 1e-3}) { // the second: eras
            const Outcome outcome = run(on_both(memory, l2), {data});
            INFO(memory << ", lambda " << l2 << ": " << outcome.updates - outcome.gpu.updates << " by threads, "
                        << outcome.rebases << " eras, " << outcome.gpu.bridge_rounds << " rounds in " << outcome.seconds
                        << " s");
            CHECK(sum_of(outcome) == doctest::Approx(kValue / l2).epsilon(0.02));
            CHECK(outcome.gpu.updates > 0);
            CHECK(outcome.gpu.updates < outcome.updates);
            CHECK((outcome.rebases > 0) == (l2 > 5e-4));
            // The weights of a snapshot are scale x v: a scale of another moment would show.
            for (const Observation& seen : outcome.observations) CHECK(seen.train_loss <= 1.02);
        }
    }
}

TEST_CASE("likewise where an epoch is shorter than the samples between two words across the link" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    constexpr std::uint32_t kFew = 320;
    const Dataset data = alike(kFew, kColumns, kValue);
    Plan plan = on_both("managed-device", 2e-4);
    plan.epochs = 4'000;
    plan.observations_per_epoch = 1;
    const Outcome outcome = run(plan, {data});
    INFO("by threads: " << outcome.updates - outcome.gpu.updates);
    CHECK(sum_of(outcome) == doctest::Approx(kValue / plan.l2).epsilon(0.02));
    CHECK(outcome.gpu.updates > 0);
    CHECK(outcome.gpu.updates < outcome.updates);
}

TEST_CASE("likewise on a GPU alone, where a stretch has fewer samples than there are warps") {
    if (no_device()) return;
    const Dataset data = alike(1'000, kColumns, kValue);
    Plan plan = on_both("device", 1e-3);
    plan.device = "gpu";
    plan.gpu.streams = 4;
    plan.gpu.blocks = 66;
    plan.epochs = 100;
    plan.step.size = 0.1;
    plan.observations_per_epoch = 1;
    CHECK(sum_of(run(plan, {data})) == doctest::Approx(kValue / plan.l2).epsilon(0.05));
}
