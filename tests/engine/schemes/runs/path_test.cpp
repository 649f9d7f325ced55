// Laws about whole paths: which schemes give which bits.
#include "engine/data/shuffle.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"
#include "kernels/lanes/dispatch.h"
#include "tests/engine/toys/toy_run.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace hogwild;

TEST_CASE("one worker with any update policy and any guard walks the path of serial SGD" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = crowded();
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const std::string kind : {"constant", "decay", "inverse-time", "linear", "backoff"}) {
            Plan plan = toy_plan("serial");
            plan.problem = problem;
            plan.step.kind = kind;
            const std::vector<float> serial = weights_of(plan, data);
            for (const std::string update : {"racy", "atomic", "cas-bounded"}) {
                for (const std::string telemetry : {"off", "sampled", "exact"}) {
                    Plan hogwild = plan;
                    hogwild.scheme = "hogwild";
                    hogwild.update = update;
                    hogwild.telemetry = telemetry;
                    CHECK(weights_of(hogwild, data) == serial);
                }
            }
            for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
                Plan guarded = plan;
                guarded.scheme = "hogwild";
                guarded.guard = guard;
                CHECK(weights_of(guarded, data) == serial);
            }
            Plan round_robin = plan;
            round_robin.scheme = "round-robin";
            CHECK(weights_of(round_robin, data) == serial);
        }
    }
}

/// Large enough for the order by blocks of rows that were shuffled physically.
Dataset in_blocks() { return toy_dataset(random_samples(20'000, 60, 12, 3)); }

TEST_CASE("the laws of paths hold in the order by blocks, which large data have") { // oracles 6 and 12
    const Dataset data = in_blocks();
    REQUIRE(wants_shuffled(toy_plan("serial"), data));
    Plan plan = toy_plan("serial");
    plan.epochs = 2;
    plan.step.size = 0.02;
    const std::vector<float> serial = weights_of(plan, data);
    for (const std::string scheme :
         {"hogwild", "round-robin", "conflict-free", "cyclades", "replicated", "hogwild++"}) {
        plan.scheme = scheme;
        CHECK(weights_of(plan, data) == serial);
    }
    for (const std::string scheme : {"minibatch", "local-sgd"}) {
        Plan alone = plan;
        alone.scheme = scheme;
        Plan together = alone;
        together.threads = 3;
        const std::vector<float> weights = weights_of(together, data);
        CHECK(weights == weights_of(scheme == "minibatch" ? alone : together, data));
        CHECK(weights != serial);
    }
}

TEST_CASE("noop learns nothing") {
    Plan plan = toy_plan("hogwild", 2);
    plan.update = "noop";
    CHECK(weights_of(plan, crowded()) == std::vector<float>(40, 0.0f));
}

TEST_CASE("where samples share no coordinate, any number of workers gives the serial result") { // oracles 5 and 7
    const Dataset data = disjoint();
    Plan plan = toy_plan("serial");
    plan.epochs = 1; // a sample meets itself in the next epoch, perhaps at another worker
    const std::vector<float> serial = weights_of(plan, data);
    plan.scheme = "hogwild";
    for (const unsigned threads : {1u, 2u, 3u, 8u}) {
        plan.threads = threads;
        for (const std::string update : {"racy", "atomic", "cas-bounded"}) {
            plan.update = update;
            CHECK(weights_of(plan, data) == serial);
        }
        Plan guarded = plan;
        guarded.update = "racy";
        for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
            guarded.guard = guard;
            CHECK(weights_of(guarded, data) == serial);
        }
        Plan turns = plan;
        turns.scheme = "round-robin";
        CHECK(weights_of(turns, data) == serial);
    }
}

TEST_CASE(
    "under backoff, too, any number of workers gives the serial result of samples that share nothing") { // oracle 7
    const Dataset data = disjoint(4'000);
    Plan plan = toy_plan("serial");
    plan.epochs = 1;
    plan.step.kind = "backoff";
    const std::vector<float> serial = weights_of(plan, data);
    plan.scheme = "hogwild";
    for (const unsigned threads : {2u, 3u, 8u}) {
        plan.threads = threads;
        CHECK(weights_of(plan, data) == serial);
    }
}

TEST_CASE("every sample of every epoch is stepped on exactly once") { // oracle 5
    for (const std::string scheme : {"hogwild", "round-robin"}) {
        Plan plan = toy_plan(scheme, 3);
        plan.step.size = 1e-9; // hinge: margins stay far below 1, so that every sample has a slope
        plan.step.kind = "constant";
        plan.telemetry = "exact";
        plan.epochs = scheme == "hogwild" ? 5'000 : 50;
        plan.observations_per_epoch = 1;
        const Dataset data = toy_dataset(random_samples(40, 40, 3, 1)); // chunks of one sample: a claim each
        const Telemetry telemetry = run(plan, {data}).telemetry;
        CHECK(telemetry.staleness.count == std::uint64_t{plan.epochs} * data.view().rows());
        CHECK(telemetry.increments_issued == std::uint64_t{plan.epochs} * data.view().nonzeros());
    }
}

TEST_CASE("minibatch has the same bits at any number of workers") { // oracle 12
    const Dataset data = crowded();
    for (const std::uint32_t batch : {1u, 7u, 32u, 5'000u}) {
        Plan plan = toy_plan("minibatch", 1);
        plan.batch.size = batch;
        const std::vector<float> alone = weights_of(plan, data);
        for (const unsigned threads : kThreadSanitizer || batch == 1 ? std::vector{3u} : std::vector{2u, 4u, 8u}) {
            plan.threads = threads;
            CHECK(weights_of(plan, data) == alone);
        }
    }
}

TEST_CASE("minibatch's observations, too, have the same bits at any number of workers") { // oracle 12
    TestSamples samples;
    TestNumbers numbers(4);
    samples.columns = 10'000;
    for (std::uint32_t i = 0; i < 820; ++i) {
        std::vector<std::uint32_t> index;
        std::vector<float> value;
        for (std::uint32_t k = 0; k < 20; ++k) {
            index.push_back(k * 500 + numbers.bits() % 500);
            value.push_back(numbers.number());
        }
        samples.add(numbers.number() > 0 ? 1.0f : -1.0f, index, value);
    }
    const Dataset data = toy_dataset(std::move(samples));
    Plan plan = toy_plan("minibatch");
    plan.problem = "logistic";
    plan.batch.size = 1;
    plan.epochs = 2;
    plan.observations_per_epoch = 820; // one after every batch
    plan.step.size = 0.5;
    plan.step.kind = "constant";
    plan.l2 = 0.3; // the scale is multiplied in every 273 batches
    const Outcome alone = run(plan, {data});
    CHECK(alone.rebases >= 6);
    for (const unsigned threads : kThreadSanitizer ? std::vector{2u} : std::vector{2u, 3u}) {
        plan.threads = threads;
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.weights == alone.weights);
        REQUIRE(outcome.observations.size() == alone.observations.size());
        bool same = true;
        for (std::size_t i = 0; i < alone.observations.size(); ++i) {
            same = same && outcome.observations[i].train_loss == alone.observations[i].train_loss;
        }
        CHECK(same);
    }
}

TEST_CASE("where an order goes by blocks, the rows are shuffled once") {
    const Dataset data = in_blocks();
    Plan plan = toy_plan("serial");
    plan.epochs = 1;
    const Dataset mixed = shuffled(data);
    const std::vector<float> expected = weights_of(plan, data);
    CHECK(run(plan, {.train = data, .shuffled = &mixed}).weights == expected);
    CHECK(run(plan, {.train = mixed, .shuffled = &mixed}).weights == expected);
}

TEST_CASE("local SGD is deterministic for a number of workers") {
    const Dataset data = crowded();
    for (const unsigned threads : {1u, 2u, 4u}) {
        const Plan plan = toy_plan("local-sgd", threads);
        CHECK(weights_of(plan, data) == weights_of(plan, data));
    }
}

TEST_CASE("every instruction set walks the same path" * doctest::test_suite("not under ThreadSanitizer")) { // oracle 11
    const Dataset data = crowded();
    Plan plan = toy_plan("serial");
    plan.lanes = "scalar";
    const std::vector<float> scalar = weights_of(plan, data);
    if (best_instruction_set() < InstructionSet::kAvx2)
        MESSAGE("skipped: avx2 and avx512 are not on this processor or build; to run it: take an x86 processor that "
                "has them");
    if (best_instruction_set() >= InstructionSet::kAvx2) {
        plan.lanes = "avx2";
        CHECK(weights_of(plan, data) == scalar);
    }
    if (best_instruction_set() >= InstructionSet::kAvx512) {
        plan.lanes = "avx512";
        CHECK(weights_of(plan, data) == scalar);
    }
}

TEST_CASE("the same seed gives the same bits in every process and build") { // oracle 15: constants of this very run
    const Dataset data = crowded();
    const auto fingerprint = [&](Plan plan, const std::string& problem) {
        plan.problem = problem;
        const std::vector<float> weights = weights_of(plan, data);
        return XXH3_64bits(weights.data(), weights.size() * sizeof(float));
    };
    CHECK(fingerprint(toy_plan("serial"), "hinge") == 14294193734421961112u);
    CHECK(fingerprint(toy_plan("serial"), "logistic") == 16982657863551763065u);
    CHECK(fingerprint(toy_plan("minibatch", 2), "logistic") == 2992428315003545069u);
    Plan replacement = toy_plan("serial");
    replacement.order = "replacement";
    CHECK(fingerprint(replacement, "squared") == 4549477762717658518u);
}
