// What a run's snapshots are worth once somebody interrupted it: laws.
#include "engine/plan/plan.h"
#include "engine/run/evaluate_run.h"

#include "engine/data/load.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>

using namespace hogwild;

namespace {

/// Interrupts a run that has taken all its steps, before anything of it is evaluated.
class InterruptAtEnd : public SnapshotSink {
public:
    void taken(const Snapshot&, std::span<const double>) override {}
    void ended() override { requested = true; }

    std::atomic<bool> requested{false};
};

Dataset data_of(const std::string& problem) {
    LoadOptions options;
    if (problem == "hinge") return crowded();
    options.samples = problem == "network" ? ImagesView::kSamples : RatingsView::kSamples;
    return load(problem == "network" ? "synthetic:tiny" : "synthetic:ratings=2000,users=50,items=40", options);
}

} // namespace

TEST_CASE("once it is interrupted a run evaluates its first snapshot and its last, and says how many were left out") {
    for (const std::string problem : {"hinge", "network", "factorization"}) {
        CAPTURE(problem);
        const Dataset data = data_of(problem);
        Plan plan = toy_plan("serial");
        plan.problem = problem;
        if (problem != "hinge") plan.l2 = 0, plan.step.size = 0.01;
        if (problem == "network") plan.network.layers = "dense 10", plan.batch.size = 8;
        plan.observations_per_epoch = 5;
        const Outcome whole = run(plan, {.train = data, .test = &data});
        REQUIRE(whole.observations.size() == 21);
        InterruptAtEnd sink;
        const Outcome left = run(plan, {.train = data, .test = &data, .interrupt = &sink.requested, .sink = &sink});
        CHECK(left.status == "interrupted");
        CHECK(left.reason == "stopped by a signal; 19 of 21 observations were not evaluated");
        CHECK(left.updates == whole.updates);
        CHECK(left.weights == whole.weights);
        REQUIRE(left.observations.size() == 2);
        for (const auto& [is, was] : {std::pair(left.observations.front(), whole.observations.front()),
                                      std::pair(left.observations.back(), whole.observations.back())}) {
            CHECK(is.updates == was.updates);
            CHECK(is.train_loss == was.train_loss);
            CHECK(is.test_loss == was.test_loss);
        }
    }
}

TEST_CASE(
    "a run whose only snapshots are the first and the last is whole, whenever it is interrupted after its steps") {
    Plan plan = toy_plan("serial");
    plan.epochs = plan.observations_per_epoch = 1;
    InterruptAtEnd sink;
    const Outcome outcome = run(plan, {.train = crowded(), .interrupt = &sink.requested, .sink = &sink});
    CHECK(outcome.observations.size() == 2);
    CHECK(outcome.status == "done");
    CHECK(outcome.reason.empty());
}
