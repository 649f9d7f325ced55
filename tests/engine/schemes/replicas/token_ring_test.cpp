// Clusters of workers on a ring: what exchanges keep, where models tend to, and whole runs.
#include "engine/error.h"
#include "engine/machine/hwloc_tree.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"
#include "engine/schemes/replicas/token_ring.h"
#include "engine/workers/placement.h"
#include "kernels/catalog.h"
#include "kernels/lanes/scalar.h"
#include "tests/engine/schemes/replicas/replica_laws.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

using namespace hogwild;

namespace {

Plan ring_plan(unsigned threads, unsigned cluster = 1) {
    Plan plan = toy_plan("hogwild++", threads);
    plan.exchange.period = 16;
    plan.exchange.cluster = cluster;
    return plan;
}

/// A ring of M clusters, of one coordinate each, by exchanges alone.
struct BareRing {
    explicit BareRing(std::uint32_t clusters) : own(clusters), base(clusters) {}

    void exchange(RingWeights weights) {
        const std::size_t next = (turn + 1) % own.size();
        const RingExchange between{own[turn].data(), base[turn].data(), own[next].data(), base[next].data(), weights};
        between.over<ScalarLanes>(0, 1);
        turn = next;
    }

    struct alignas(64) Line : std::array<float, 16> {};
    std::vector<Line> own, base;
    std::size_t turn = 0;
};

} // namespace

TEST_CASE("an exchange loses no increment, and counts none twice") {
    // lambda = 1 and beta = 1 - 1/M count every increment once, too, and are exact in binary where M is a power of two.
    for (const std::uint32_t clusters : {2u, 4u}) {
        for (const std::uint64_t seed : {1, 2, 3}) {
            const RingWeights weights{1.0f - 1.0f / static_cast<float>(clusters), 1.0f};
            BareRing ring(clusters);
            TestNumbers numbers(seed);
            float all = 0;
            for (int hop = 0; hop < 8; ++hop) {
                const std::size_t who = numbers.bits() % clusters;
                const auto increment = static_cast<float>(numbers.bits() % 16);
                ring.own[who][0] += increment;
                all += increment;
                ring.exchange(weights);
                float moved = 0, bases = 0; // (M - 1) x total, of whole 4^-k: rho is 1 / (M - 1), and 1 - lambda 0
                for (std::size_t c = 0; c < clusters; ++c) {
                    moved += ring.own[c][0] - ring.base[c][0];
                    if (c != ring.turn) bases += ring.base[c][0];
                }
                const auto others = static_cast<float>(clusters - 1);
                CHECK(others * moved + bases == others * all);
            }
        }
    }
}

TEST_CASE("weights of a ring count every increment once, and of two clusters are the published ones") {
    for (unsigned clusters = 2; clusters <= 64; ++clusters) {
        const RingWeights weights = ring_weights(clusters);
        const double beta = weights.beta, lambda = weights.lambda;
        CHECK((1 - beta) / beta * (clusters - lambda) == doctest::Approx(1).epsilon(1e-5));
        CHECK(lambda == doctest::Approx(1 - std::pow(beta, clusters - 1)).epsilon(1e-5));
    }
    const double golden = (std::sqrt(5.0) - 1) / 2; // beta + beta^2 = 1
    CHECK(ring_weights(2).beta == doctest::Approx(golden));
    CHECK(ring_weights(2).lambda == doctest::Approx(1 - golden));
}

TEST_CASE("a ring's total is the sum of all increments, and as the token goes round every model comes to it") {
    const Dataset data = alike(400, 40, 0x1p-6f);
    for (const auto& [threads, cluster] : {std::pair{2u, 1u}, {3u, 1u}, {6u, 2u}, {7u, 2u}, {8u, 1u}}) {
        for (const char* pin : {"none", "numa"}) {
            Plan plan = ring_plan(threads, cluster);
            plan.pin = pin; // of which cluster a worker is
            ToyJob toy(plan, bound(data.view(), plan));
            TokenRing ring(toy.job);
            for (unsigned w = 0; w < threads; ++w) ring.begin(w);
            TestNumbers numbers(threads);
            std::vector<float> sums(40);
            for (std::uint32_t k = 0; k < 3'000; ++k) {
                const unsigned worker = numbers.bits() % threads;
                const std::uint32_t j = numbers.bits() % 40;
                ring.weights(worker)[j] += 0x1p-6f;
                sums[j] += 0x1p-6f;
                ring.stepped(worker, 1 + numbers.bits() % 16, 0.1);
            }
            for (std::uint32_t j = 0; j < 40; ++j) CHECK(ring.total(j) == doctest::Approx(sums[j]).epsilon(1e-5));
            constexpr double kRounding = 1e-3; // some 14,000 exchanges, of 2^-24 each
            for (std::uint32_t k = 0; k < 40'000; ++k) ring.stepped(k % threads, 16, 0.1);
            for (std::uint32_t j = 0; j < 40; ++j) {
                for (unsigned w = 0; w < threads; ++w)
                    CHECK(ring.weights(w)[j] == doctest::Approx(sums[j]).epsilon(kRounding));
            }
            for (unsigned w = 0; w < threads; ++w) ring.rescale(w, 0.5f);
            for (std::uint32_t j = 0; j < 40; ++j) {
                CHECK(toy.buffer.data()[j] == doctest::Approx(0.5 * sums[j]).epsilon(kRounding));
                for (unsigned w = 0; w < threads; ++w) CHECK(ring.weights(w)[j] == toy.buffer.data()[j]);
            }
        }
    }
}

TEST_CASE("one worker of hogwild++ walks serial's path") { // oracle 6
    check_alone_walks_serials_path(ring_plan(1));
}

TEST_CASE(
    "where samples share no coordinate, a ring ends with serial's weights, one cluster of workers bit for bit") { // oracle 7
    Plan plan = toy_plan("serial");
    plan.epochs = 1;
    plan.l2 = 0;
    const std::vector<float> serial = weights_of(plan, disjoint());
    for (const unsigned threads : {2u, 3u, 8u}) {
        for (const unsigned cluster : {1u, 2u, 8u}) {
            Plan ring = ring_plan(threads, cluster);
            ring.epochs = 1;
            ring.l2 = 0;
            const std::vector<float> weights = weights_of(ring, disjoint());
            if (clusters(ring) == 1) CHECK(weights == serial);
            for (std::size_t j = 0; j < serial.size(); ++j)
                CHECK(weights[j] == doctest::Approx(serial[j]).epsilon(1e-5));
        }
    }
}

TEST_CASE("eras of the L2 scale bring a ring's models together") {
    const Dataset data = disjoint();
    Plan plan = toy_plan("serial");
    plan.l2 = 0.7; // several eras
    plan.order = "stored";
    const Outcome serial = run(plan, {data});
    REQUIRE(serial.rebases > 0);
    for (const unsigned cluster : {1u, 3u}) {
        Plan ring = ring_plan(3, cluster);
        ring.l2 = 0.7;
        ring.order = "stored";
        const Outcome outcome = run(ring, {data});
        CHECK(outcome.rebases == serial.rebases);
        // L2 has made a weight nothing until its sample is met again, by whichever cluster.
        for (std::size_t j = 0; j < serial.weights.size(); ++j)
            CHECK(outcome.weights[j] == doctest::Approx(serial.weights[j]).epsilon(1e-4));
    }
}

TEST_CASE(
    "of steps that together go a small part of the way a ring learns, however late they come; snapshots are taken") {
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const auto& [threads, cluster] : {std::pair{2u, 1u}, {4u, 2u}, {8u, 1u}, {50u, 7u}}) {
            for (const char* step : {"decay", "backoff"}) {
                Plan plan = ring_plan(threads, cluster);
                plan.problem = problem;
                plan.step.kind = step;
                plan.step.size = 2e-5; // of 4,000: all slopes are nearly the first ones
                plan.exchange.period = threads == 4 ? 0 : 16;
                const Outcome outcome = run(plan, {crowded()});
                REQUIRE(outcome.observations.size() == 41);
                CHECK(outcome.observations.back().updates == 4'000);
                CHECK(outcome.status == "done");
                CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
            }
        }
    }
}

TEST_CASE("an interrupt ends a run of a ring") {
    Plan plan = ring_plan(3);
    check_interrupt_ends(plan);
    plan.exchange.cluster = 3;
    CHECK(why_not_go_on(plan).empty());
}

TEST_CASE("rings are of CPU threads and of models that increments may be added to, without telemetry") {
    Plan plan = ring_plan(2);
    CHECK(why_not(plan) == "");
    plan.problem = "factorization";
    CHECK(why_not(plan) == "");
    plan.problem = "cut";
    CHECK(why_not(plan) ==
          "hogwild++ adds increments of other models, which lead points out of their simplex; use local-sgd");
    plan.problem = "network";
    CHECK(why_not(plan) ==
          "hogwild++ has no state of an optimiser for each model, nor statistics of layers; use local-sgd");
    plan = ring_plan(2);
    plan.telemetry = "sampled";
    CHECK(why_not(plan) ==
          "the models of hogwild++ have clocks of their own, and telemetry has one; use --telemetry off");
    plan = ring_plan(2);
    plan.device = "gpu";
    plan.memory = "device";
    CHECK(why_not(plan) == "hogwild++ runs on CPU threads");
    plan = ring_plan(2, 0);
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("--cluster 0 (a model is shared by 1 to 4096 workers)"),
                         Error);
}

TEST_CASE("the workers of a model are in the text and hash of a plan that has such") {
    Plan plan = ring_plan(4, 2);
    CHECK(plan_of(fields(plan)).exchange.cluster == 2);
    const std::uint64_t before = hash(plan);
    plan.exchange.cluster = 1;
    CHECK(hash(plan) != before);
    plan.scheme = "hogwild";
    const std::uint64_t of_hogwild = hash(plan);
    plan.exchange.cluster = 2;
    CHECK(hash(plan) == of_hogwild);
}

TEST_CASE("a node's cores are a NUMA node's, on a machine of one a last-level cache's") {
    const auto cores = [](const char* tree, unsigned processors) {
        std::vector<unsigned> allowed(processors);
        for (unsigned i = 0; i < processors; ++i) allowed[i] = i;
        return cores_of_node(HwlocTree(tree), allowed);
    };
    CHECK(cores("pack:2 numa:1 l3:1 core:4 pu:2", 16) == 4);
    CHECK(cores("pack:1 numa:1 l3:4 core:3 pu:1", 12) == 3);
    CHECK(cores("pack:1 numa:1 l3:1 core:6 pu:1", 6) == 6);
    CHECK(cores("pack:2 numa:1 core:4 pu:2", 10) == 4); // of the second node one core only may be used
}
