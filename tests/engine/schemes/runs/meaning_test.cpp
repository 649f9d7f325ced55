// What the schemes compute, against references in double, and what they observe on the way.
#include "engine/plan/plan.h"
#include "tests/engine/schemes/reference.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

// Each of at most 4,000 updates rounds each sum once (2^-24) and the margin's 16 lanes. Steps contract (curvature x
// step < 1), so the errors add up to no more than their number.
constexpr double kRounding = 4'000 * 2 * 0x1p-24;

/// Every scheme, with as many workers as it is deterministic with.
std::vector<Plan> deterministic() {
    return {toy_plan("serial"),        toy_plan("hogwild"),      toy_plan("round-robin"),
            toy_plan("conflict-free"), toy_plan("minibatch", 3), toy_plan("local-sgd", 3)};
}

} // namespace

TEST_CASE("minibatch steps by the mean gradient of each batch, the short last one's, too") { // oracle 13
    const Dataset data = crowded();
    for (const std::uint32_t batch : {1u, 7u, 300u, 1'000u, 5'000u}) {
        for (const double l2 : {0.0, 0.05}) {
            Plan plan = toy_plan("minibatch", batch == 1 ? 1 : 2); // 8,000 barriers say nothing more
            plan.problem = "logistic";
            plan.batch.size = batch;
            plan.l2 = l2;
            CHECK(distance(weights_of(plan, data), reference(plan, data.sparse())) < kRounding);
        }
    }
}

TEST_CASE("local SGD averages all models and goes on from the average in all of them") {
    const Dataset data = crowded();
    for (const unsigned threads : {1u, 2u, 3u}) {
        for (const std::uint32_t exchange : {7u, 50u, 0u}) {
            for (const double l2 : {0.0, 0.7}) {
                Plan plan = toy_plan("local-sgd", threads);
                plan.problem = "logistic";
                plan.exchange.period = exchange;
                plan.l2 = l2;
                CHECK(distance(weights_of(plan, data), reference(plan, data.sparse())) < kRounding);
            }
        }
    }
}

TEST_CASE("backoff looks at the weights as they are, and shrinks the step of the epochs after a plateau") {
    const Dataset data = crowded();
    for (Plan plan : deterministic()) {
        plan.problem = "logistic";
        plan.step.kind = "backoff";
        plan.step.decay = 0.3;
        // At an epoch's start the scale is 1, far from 1, or that of an era that begins; plateaus that then are and are not.
        for (const auto& [l2, plateau] : {std::pair{0.0, 0.02}, {0.03, 0.02}, {0.7, 0.002}}) {
            plan.l2 = l2;
            plan.step.plateau = plateau;
            CHECK(distance(weights_of(plan, data), reference(plan, data.sparse())) < kRounding);
        }
    }
}

TEST_CASE(
    "where samples share no coordinate, round-robin at any number of workers gives the serial result") { // oracle 7
    const Dataset data = disjoint();
    Plan plan = toy_plan("serial");
    plan.problem = "logistic";
    plan.order = "stored"; // a worker reads up to M - 1 samples early, and here no sample meets itself within an epoch
    for (const double l2 : {0.0, 1e-3, 0.7}) {
        plan.l2 = l2;
        plan.scheme = "serial";
        plan.threads = 1;
        const std::vector<float> serial = weights_of(plan, data);
        plan.scheme = "round-robin";
        for (const unsigned threads : {2u, 3u, 7u, 50u}) { // 50: more than a chunk's samples
            plan.threads = threads;
            // A worker multiplies its own steps' decays, M at a time: the same product in another order of roundings.
            CHECK(distance(weights_of(plan, data), serial) < kRounding);
        }
    }
}

TEST_CASE("round-robin's snapshots hold every sample before the place where they are due, and say of no fewer") {
    const Dataset data = disjoint();
    Plan plan = toy_plan("round-robin", 3);
    plan.epochs = 1; // a sample's coordinates then stay as its one visit leaves them
    plan.order = "stored";
    plan.l2 = 0;
    Plan serial = plan; // one worker's snapshots are where they are due
    serial.scheme = "serial";
    serial.threads = 1;
    const std::vector<Observation> due = run(serial, {data}).observations;
    REQUIRE(due.size() == 11);
    for (std::uint64_t i = 1; i < 10; ++i) {
        SparseView until = data.sparse();
        until.rows = due[i].updates;
        const Dataset part("part", 1, until, nullptr);
        const std::vector<Observation> observations = run(plan, {data, &part}).observations;
        CHECK(observations[i].test_loss == observations.back().test_loss);
        CHECK(observations[i].updates >= due[i].updates);
    }
}

TEST_CASE("what is observed after an epoch is the end of a run of as many epochs") {
    const Dataset data = crowded();
    for (Plan plan : deterministic()) {
        for (const double l2 : {1e-3, 0.7}) {
            plan.l2 = l2;
            plan.epochs = 3;
            const std::vector<Observation> observations = run(plan, {data}).observations;
            for (const std::uint32_t epochs : {1u, 2u}) {
                plan.epochs = epochs;
                const auto found = std::ranges::find(observations, epochs * 1'000, &Observation::updates);
                REQUIRE(found != observations.end());
                CHECK(found->train_loss == run(plan, {data}).observations.back().train_loss);
            }
        }
    }
}

TEST_CASE("what is observed within an epoch is the end of a run over the samples until then") {
    const Dataset data = crowded();
    for (Plan plan : deterministic()) {
        plan.epochs = 1;
        plan.order = "stored";
        plan.l2 = 0; // no scale, whose roundings depend on where chunks begin
        const std::vector<Observation> observations = run(plan, {data, &data}).observations;
        // One for each tenth of the epoch, as far as rounds end there: local SGD's have 150 samples.
        REQUIRE(observations.size() >= 8);
        for (std::size_t i = 1; i < observations.size(); ++i) {
            SparseView until = data.sparse();
            until.rows = observations[i].updates;
            const Dataset part("part", 1, until, nullptr);
            CHECK(observations[i].test_loss == run(plan, {part, &data}).observations.back().test_loss);
        }
    }
}

TEST_CASE("minibatch and local SGD decide on their step by the weights, before anybody steps") {
    const Dataset data = crowded();
    for (const std::string scheme : {"minibatch", "local-sgd"}) {
        for (const double plateau : {0.99, 0.002}) { // shrinks at every epoch; at some
            Plan plan = toy_plan(scheme, 3);
            plan.problem = "logistic";
            plan.batch.size = 8;
            plan.step.kind = "backoff";
            plan.step.decay = 0.3;
            plan.step.plateau = plateau;
            plan.epochs = 6;
            plan.l2 = 0.1;
            CHECK(distance(weights_of(plan, data), reference(plan, data.sparse())) < 1.5 * kRounding); // 6,000 updates
        }
    }
}
