// Runs on replicated models that are averaged while everybody steps.
#include "engine/error.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"
#include "tests/engine/schemes/replicas/replica_laws.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

Plan replicated_plan(unsigned threads, unsigned cluster = 1) {
    Plan plan = toy_plan("replicated", threads);
    plan.exchange.period = 16;
    plan.exchange.cluster = cluster;
    return plan;
}

} // namespace

TEST_CASE("one worker of replicated walks serial's path") { // oracle 6
    check_alone_walks_serials_path(replicated_plan(1));
}

TEST_CASE(
    "a model for the whole machine is Hogwild's, and ends with serial's weights where nothing meets") { // oracle 7
    Plan plan = toy_plan("serial");
    for (const double l2 : {0.0, 0.7}) {
        plan.l2 = l2;
        plan.epochs = l2 > 0 ? 4 : 1;
        const std::vector<float> serial = weights_of(plan, disjoint());
        for (const unsigned threads : {2u, 3u, 8u}) {
            Plan replicated = replicated_plan(threads, threads);
            replicated.l2 = l2;
            replicated.epochs = plan.epochs;
            CHECK(weights_of(replicated, disjoint()) == serial);
        }
    }
}

TEST_CASE(
    "of replicas that meet nowhere each increment counts as its share of the average, whenever they are averaged") {
    // Every column is of one sample, so one of M models has its increment, and the average the M-th part of it.
    const Dataset data = alike(600, 600, 0x1p-6f);
    for (const auto& [threads, cluster] : {std::pair{2u, 1u}, {4u, 1u}, {8u, 2u}, {8u, 1u}}) {
        for (const std::uint32_t exchange : {1u, 16u, 0u}) {
            Plan plan = replicated_plan(threads, cluster);
            plan.exchange.period = exchange;
            plan.l2 = 0;
            plan.epochs = 1;
            plan.step.kind = "constant";
            plan.step.size = 0x1p-3;
            const float share = 0x1p-9f / static_cast<float>(clusters(plan));
            CHECK(weights_of(plan, data) == std::vector<float>(600, share));
        }
    }
}

TEST_CASE("L2 is the plan's, however many models there are") {
    const Dataset data = crowded();
    Plan plan = toy_plan("serial");
    plan.problem = "squared";
    plan.epochs = 40;
    plan.l2 = 0.3; // with four times that the loss below would be a quarter larger
    plan.step.size = 0.02;
    const double alone = run(plan, {data}).observations.back().train_loss;
    for (const auto& [threads, cluster] : {std::pair{2u, 1u}, {4u, 1u}, {3u, 2u}}) { // the last, of two workers and one
        Plan replicated = plan;
        replicated.scheme = "replicated";
        replicated.threads = threads;
        replicated.exchange.cluster = cluster;
        replicated.exchange.period = 16;
        CHECK(run(replicated, {data}).observations.back().train_loss == doctest::Approx(alone).epsilon(0.02));
    }
}

TEST_CASE("every problem learns on replicated models, where workers are more than cores, too") {
    for (const auto& [threads, cluster] : {std::pair{2u, 1u}, {4u, 2u}, {8u, 1u}, {50u, 7u}}) {
        for (const char* step : {"decay", "backoff"}) {
            for (const double l2 : {1e-3, 0.7}) { // of one era and of several
                Plan plan = replicated_plan(threads, cluster);
                plan.step.kind = step;
                plan.l2 = l2;
                plan.exchange.period = threads == 4 ? 0 : 16;
                const Outcome outcome = run(plan, {crowded()});
                REQUIRE(outcome.observations.size() == 41);
                CHECK(outcome.observations.back().updates == 4'000);
                CHECK((outcome.rebases > 0) == (l2 > 0.1));
                if (l2 < 0.1) // with more the best weights are nearly 0
                    CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
            }
        }
    }
    Plan ratings = ratings_plan("replicated");
    ratings.threads = 3;
    ratings.epochs = 6;
    const Outcome factors = run(ratings, {ratings_dataset(random_ratings(3'000, 300, 90, {.mean = 3}, 5))});
    CHECK(factors.observations.back().train_loss < factors.observations.front().train_loss);
}

TEST_CASE("an interrupt ends a run on replicated models") {
    Plan plan = replicated_plan(3);
    check_interrupt_ends(plan);
    plan.exchange.cluster = 3;
    CHECK(why_not_go_on(plan).empty());
}

TEST_CASE("replicated models are of CPU threads, without telemetry, and not of networks") {
    Plan plan = replicated_plan(2);
    for (const char* problem : {"hinge", "factorization", "cut", "skipgram"}) {
        plan.problem = problem;
        CHECK(why_not(plan) == "");
    }
    plan.problem = "network";
    CHECK(why_not(plan) ==
          "replicated has no state of an optimiser for each model, nor statistics of layers; use local-sgd");
    plan = replicated_plan(2);
    plan.telemetry = "exact";
    CHECK(why_not(plan) ==
          "the models of replicated have clocks of their own, and telemetry has one; use --telemetry off");
    plan = replicated_plan(2);
    plan.device = "gpu";
    plan.memory = "device";
    CHECK(why_not(plan) == "replicated runs on CPU threads");
}
