#include "engine/plan/plan.h"
#include "experiments/session/trial.h"

#include "engine/run.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/experiments/child.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace hogwild;

namespace {

const std::atomic<bool> kCalm{false};

} // namespace

TEST_CASE("a run in a process of its own is the run in this one") {
    const Dataset train = toy_dataset(random_samples(3'000, 200, 10, 1)),
                  test = toy_dataset(random_samples(100, 200, 10, 2));
    for (const std::string order : {"permutation", "replacement"}) {
        Plan plan = toy_plan("serial");
        plan.order = order;
        const Placements placements(train, test, {plan});
        Trials trials(placements, program());
        const Outcome apart = trials.run(plan, 0.1, kCalm),
                      here = run(plan, {.train = train, .test = &test, .optimum = 0.1});
        CHECK(apart.status == "done");
        CHECK(apart.updates == here.updates);
        CHECK(apart.weights == here.weights);
        CHECK(trials.progress().load() > 0);
        REQUIRE(apart.observations.size() == here.observations.size());
        for (std::size_t i = 0; i < here.observations.size(); ++i) {
            CHECK(apart.observations[i].train_loss == here.observations[i].train_loss);
            CHECK(apart.observations[i].test_loss == here.observations[i].test_loss);
            CHECK(apart.observations[i].optimality_bound == here.observations[i].optimality_bound);
        }
    }
}

TEST_CASE("what a child cannot run is its outcome, with the reason") {
    const Dataset train = toy_dataset(random_samples(300, 20, 5, 1));
    Plan plan = toy_plan("serial", 3); // serial has one worker
    const Placements placements(train, {}, {plan});
    Trials trials(placements, program());
    const Outcome outcome = trials.run(plan, kNone, kCalm);
    CHECK(outcome.status == "failed");
    CHECK(outcome.reason.find("serial has one worker") != std::string::npos);
    CHECK(outcome.weights.empty());
}

TEST_CASE("a child that ends without a result is a failed run, and says how it ended") {
    const Dataset train = toy_dataset(random_samples(300, 20, 5, 1));
    const Plan plan = toy_plan("serial");
    const Placements placements(train, {}, {plan});
    CHECK(Trials(placements, "/bin/false").run(plan, kNone, kCalm).reason ==
          "its process ended with exit code 1 and no result");
    CHECK(Trials(placements, "/nowhere").run(plan, kNone, kCalm).reason ==
          "its process ended with exit code 1 and no result");
    CHECK(Trials(placements, "/bin/true").run(plan, kNone, kCalm).reason.find("no outcome") != std::string::npos);
}

TEST_CASE("an interrupt reaches the child, which keeps what it observed") {
    const Dataset train = toy_dataset(random_samples(30'000, 200, 10, 1));
    Plan plan = toy_plan("serial");
    plan.epochs = 50'000; // minutes
    plan.observations_per_epoch = 1;
    plan.l2 = 0;
    plan.step.kind = "constant";
    const Placements placements(train, {}, {plan});
    Trials trials(placements, program());
    const std::atomic<bool> pressed{true};
    const Outcome outcome = trials.run(plan, kNone, pressed);
    CHECK(outcome.status == "interrupted");
    CHECK(outcome.observations.size() < 50'000);
}

TEST_CASE("a child that does not listen is killed when its grace is over") {
    const Scratch scratch;
    const std::filesystem::path deaf = scratch.path / "deaf";
    std::ofstream(deaf) << "#!/bin/sh\ntrap '' INT\nwhile :; do :; done\n";
    std::filesystem::permissions(deaf, std::filesystem::perms::owner_all);
    const Dataset train = toy_dataset(random_samples(300, 20, 5, 1));
    const Plan plan = toy_plan("serial");
    const Placements placements(train, {}, {plan});
    Trials trials(placements, deaf);
    const Outcome late = trials.run(plan, kNone, kCalm, {.limit = 0.3, .grace = 0.05});
    CHECK(late.status == "failed");
    CHECK(late.reason == "it took longer than 300 ms");
}
