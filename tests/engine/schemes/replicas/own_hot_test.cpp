// Runs whose workers have hot coordinates of their own, and such whose increments of them are thinned.
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/own_hot.h"

#include "engine/error.h"
#include "engine/plan/hot_updates.h"
#include "kernels/catalog.h"
#include "kernels/lanes/dispatch.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Plan hot_plan(const std::string& updates, unsigned threads, std::uint32_t hot = 16) {
    Plan plan = toy_plan("hogwild", threads);
    plan.hot.updates = updates;
    plan.hot.count = hot;
    plan.placement = "hottest";
    plan.exchange.combine = "sum";
    return plan;
}

} // namespace

TEST_CASE("one worker walks serial's path, however seldom it hands over hot coordinates" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const double l2 : {0.0, 1e-3, 0.7}) { // the last with several eras
            Plan serial = toy_plan("serial");
            serial.problem = problem;
            serial.l2 = l2;
            const std::vector<float> wanted = weights_of(serial, crowded());
            for (const std::string updates : {"delayed", "replicated"}) {
                for (const std::uint32_t exchange : {1u, 7u, 100u, 0u}) {
                    for (const std::uint32_t hot : {1u, 20u, 100u}) {
                        Plan plan = hot_plan(updates, 1, hot);
                        plan.problem = problem;
                        plan.l2 = l2;
                        plan.exchange.period = exchange;
                        CHECK(weights_of(plan, crowded()) == wanted);
                    }
                }
            }
        }
    }
}

TEST_CASE(
    "one in one increment of hot coordinates is every increment, bit for bit, with every policy and on every set") {
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const std::string update : {"racy", "atomic", "cas-bounded"}) {
            for (const std::string lanes : {"scalar", "auto"}) {
                Plan plan = hot_plan("thinned", 1);
                plan.problem = problem;
                plan.update = update;
                plan.lanes = lanes;
                plan.exchange.period = 1;
                Plan direct = plan;
                direct.hot.updates = "direct";
                CHECK(weights_of(plan, crowded()) == weights_of(direct, crowded()));
                plan.exchange.period = 2;
                CHECK(weights_of(plan, crowded()) != weights_of(direct, crowded()));
            }
        }
    }
}

TEST_CASE("thinned runs of one seed have the same bits on every instruction set, of another seed others") {
    Plan plan = hot_plan("thinned", 1);
    plan.order = "stored";
    plan.exchange.period = 3;
    plan.lanes = "scalar";
    const std::vector<float> scalar = weights_of(plan, crowded());
    plan.lanes = "auto";
    CHECK(weights_of(plan, crowded()) == scalar);
    plan.seed = 2;
    CHECK(weights_of(plan, crowded()) != scalar);
}

TEST_CASE("of increments of hot coordinates none is lost and none counts twice, at any number of workers") {
    // 4 epochs of 100 samples a column, each an increment of 2^-9: totals are exact, and no margin comes near hinge's kink. All columns
    // are hot, so nothing is written by a race.
    const Dataset data = alike(4'000, 40, 0x1p-6f);
    for (const std::string updates : {"delayed", "replicated"}) {
        for (const unsigned threads : {2u, 3u, 8u}) {
            for (const std::uint32_t exchange : {1u, 16u, 100u, 0u}) {
                Plan plan = hot_plan(updates, threads, 40);
                plan.exchange.period = exchange;
                plan.l2 = 0;
                plan.step.kind = "constant";
                plan.step.size = 0x1p-3;
                CHECK(weights_of(plan, data) == std::vector<float>(40, 400 * 0x1p-9f));
            }
        }
    }
}

TEST_CASE("hot coordinates lose nothing beside others that atomic increments of all workers keep") {
    const Dataset data = alike(4'000, 80, 0x1p-6f);
    for (const std::string updates : {"delayed", "replicated"}) {
        for (const unsigned threads : {2u, 8u}) {
            Plan plan = hot_plan(updates, threads, 20); // to the end of the second line
            plan.update = "atomic";
            plan.l2 = 0;
            plan.step.kind = "constant";
            plan.step.size = 0x1p-3;
            CHECK(weights_of(plan, data) == std::vector<float>(80, 200 * 0x1p-9f));
        }
    }
}

TEST_CASE("where samples share no coordinate, any number of workers gives the serial result") { // oracle 7
    Plan serial = toy_plan("serial");
    serial.epochs = 1;
    serial.l2 = 0;
    const std::vector<float> wanted = weights_of(serial, disjoint());
    for (const std::string updates : {"delayed", "replicated", "thinned"}) {
        for (const unsigned threads : {2u, 3u, 8u}) {
            Plan plan = hot_plan(updates, threads, 500);
            plan.epochs = 1;
            plan.l2 = 0;
            plan.exchange.period = updates == "thinned" ? 1 : 16;
            CHECK(weights_of(plan, disjoint()) == wanted);
        }
    }
}

TEST_CASE("eras of the L2 scale bring hot coordinates together") {
    const Dataset data = disjoint();
    Plan plan = toy_plan("serial");
    plan.l2 = 0.7; // several eras
    plan.order = "stored";
    const Outcome serial = run(plan, {data});
    REQUIRE(serial.rebases > 0);
    for (const std::string updates : {"delayed", "replicated"}) {
        Plan own = hot_plan(updates, 3, 500);
        own.l2 = 0.7;
        own.order = "stored";
        own.exchange.period = 16;
        const Outcome outcome = run(own, {data});
        CHECK(outcome.rebases == serial.rebases);
        // A sample is met by its worker, and an epoch later by whoever: L2 has made the weight nothing until then.
        for (std::size_t j = 0; j < serial.weights.size(); ++j)
            CHECK(outcome.weights[j] == doctest::Approx(serial.weights[j]).epsilon(1e-4));
    }
}

TEST_CASE("every snapshot is taken, in every order, with backoff, and by more workers than chunks") {
    for (const std::string updates : {"delayed", "replicated", "thinned"}) {
        for (const std::string order : {"permutation", "replacement", "stored"}) {
            for (const unsigned threads : {2u, 50u}) {
                Plan plan = hot_plan(updates, threads);
                plan.order = order;
                plan.step.kind = "backoff";
                const Outcome outcome = run(plan, {crowded()});
                REQUIRE(outcome.observations.size() == 41);
                CHECK(outcome.observations.back().updates == 4'000);
            }
        }
    }
}

TEST_CASE("an interrupt ends a run whose workers keep hot coordinates, and nothing goes on from its snapshots") {
    const std::atomic<bool> interrupt{true};
    RunInputs inputs{crowded()};
    inputs.interrupt = &interrupt;
    Plan plan = hot_plan("delayed", 3);
    plan.l2 = 0.7; // with eras that nobody may wait for
    CHECK(run(plan, inputs).status == "interrupted");
    CHECK(why_not_go_on(plan) == "what workers keep of hot coordinates is in no snapshot");
    plan.threads = 1; // who collects increments too
    CHECK(why_not_go_on(plan) == "what workers keep of hot coordinates is in no snapshot");
    plan.hot.updates = "replicated"; // who steps on the buffer
    CHECK(why_not_go_on(plan) == "");
}
