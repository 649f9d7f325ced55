// Laws of a run: observations, statuses, refusals, convergence.
#include "engine/error.h"
#include "engine/machine/memory_budget.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "tests/engine/toys/every_scheme.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace hogwild;

TEST_CASE("every scheme observes from start to end, in order, and counts every sample") {
    const Dataset data = crowded();
    for (const Plan& plan : plans_of_every_scheme(3)) {
        CAPTURE(plan.scheme);
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == 4'000);
        CHECK(outcome.nonzeros == 4 * data.view().nonzeros());
        CHECK(outcome.weights.size() == data.view().coordinates());
        REQUIRE(outcome.observations.size() >= 20);
        CHECK(outcome.observations.front().updates == 0);
        CHECK(outcome.observations.back().updates == 4'000);
        CHECK(outcome.observations.back().seconds == outcome.seconds);
        CHECK(std::ranges::is_sorted(outcome.observations, {}, &Observation::updates));
        for (const Observation& o : outcome.observations) CHECK(o.epoch == doctest::Approx(o.updates / 1'000.0));
        CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
    }
}

TEST_CASE("every scheme on the list learns, counts every sample, and is looked at as often as it was asked") {
    const Dataset data = crowded();
    for (const unsigned threads : {1u, 3u}) {
        for (const Plan& plan : plans_of_every_scheme(threads)) {
            CAPTURE(plan.scheme);
            CAPTURE(plan.threads);
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            CHECK(outcome.updates == 4'000);
            CHECK(outcome.observations.size() >= 20);
            CHECK(outcome.observations.back().train_loss < 0.9 * outcome.observations.front().train_loss);
        }
    }
}

TEST_CASE("a scheme that says so gives the same weights again, however fast its workers are") {
    const Dataset data = crowded();
    std::size_t repeatable = 0;
    for (const Plan& plan : plans_of_every_scheme(3)) {
        if (!scheme_traits(plan).is_repeatable()) continue;
        CAPTURE(plan.scheme);
        ++repeatable;
        const std::vector<float> once = weights_of(plan, data);
        for (int again = 0; again < 3; ++again) CHECK(weights_of(plan, data) == once);
    }
    CHECK(repeatable >= 4);
}

TEST_CASE("a delay changes no bit of deterministic schemes, and no worker's gradients take less") {
    const Dataset data = crowded();
    for (const std::string scheme : {"serial", "local-sgd"}) {
        for (const char* telemetry : {"off", "sampled"}) {
            Plan plan = toy_plan(scheme, scheme == "serial" ? 1 : 3);
            plan.epochs = 1;
            if (scheme != "local-sgd") plan.telemetry = telemetry;
            const std::vector<float> without = weights_of(plan, data);
            plan.delay = 2e-6;
            const Outcome delayed = run(plan, {data});
            CHECK(delayed.weights == without);
            CHECK(delayed.seconds >= plan.delay * static_cast<double>(data.view().rows() / plan.threads));
        }
    }
    for (const char* guard : {"none", "locked", "locked-read", "global-lock"}) {
        Plan plan = toy_plan("hogwild", 2);
        plan.epochs = 1;
        plan.guard = guard;
        plan.delay = 1e-6;
        CHECK(run(plan, {data}).updates == 1'000);
    }
    Plan turns = toy_plan("round-robin", 2);
    turns.epochs = 1;
    turns.delay = 1e-6;
    CHECK(run(turns, {data}).updates == 1'000);
}

TEST_CASE("the first observation is the loss of zero weights") {
    const Outcome outcome = run(toy_plan("hogwild", 2), {crowded()});
    CHECK(outcome.observations.front().train_loss == 1.0); // hinge at margin 0
}

TEST_CASE("a step that is too large is a diverged run, not a crash") {
    Plan plan = toy_plan("hogwild", 2);
    plan.problem = "squared";
    plan.step.size = 100;
    const Outcome outcome = run(plan, {crowded()});
    CHECK(outcome.status == "diverged");
    CHECK_FALSE(outcome.reason.empty());
}

TEST_CASE("a finite loss above twice the first is a diverged run, too") {
    TestSamples samples; // one sample x = 1, y = 1: a step s takes w from 0 to s and the loss by the factor (1 - s)^2
    samples.columns = 1;
    samples.add(1.0f, {0}, {1.0f});
    const Dataset data = toy_dataset(std::move(samples));
    for (Plan plan : plans_of_every_scheme(1)) {
        CAPTURE(plan.scheme);
        plan.problem = "squared";
        plan.epochs = 1;
        plan.l2 = 0;
        plan.step.size = 2.40; // 1.96
        CHECK(run(plan, {data}).status == "done");
        plan.step.size = 2.45; // 2.10
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.status == "diverged");
        CHECK(outcome.reason.find("rose") != std::string::npos);
    }
}

TEST_CASE("a combination that means nothing is refused with its reason") {
    const Dataset data = crowded();
    Plan plan = toy_plan("hogwild", 2);
    plan.guard = "locked";
    plan.update = "atomic";
    CHECK_FALSE(why_not(plan).empty());
    CHECK_THROWS_AS(run(plan, {data}), Error);
    CHECK(why_not(toy_plan("hogwild", 2)).empty());
    CHECK_FALSE(why_not(toy_plan("serial", 2)).empty());
    plan = toy_plan("hogwild", 2);
    plan.l2 = 1; // step x lambda = 0.2
    CHECK_FALSE(why_not(plan).empty());
}

TEST_CASE("an unknown name is answered with the known ones") {
    Plan plan = toy_plan("hogwild");
    plan.update = "atomc";
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("racy, atomic, cas-bounded, noop"), Error);
    plan = toy_plan("hogwlid");
    CHECK_THROWS_WITH_AS(validate(plan), doctest::Contains("serial, hogwild"), Error);
}

TEST_CASE("values out of range are refused") {
    const auto refused = [](auto change) {
        Plan plan = toy_plan("hogwild");
        change(plan);
        CHECK_THROWS_AS(validate(plan), Error);
    };
    refused([](Plan& p) { p.threads = 0; });
    refused([](Plan& p) { p.epochs = 0; });
    refused([](Plan& p) { p.batch.size = 0; });
    refused([](Plan& p) { p.step.size = 0; });
    refused([](Plan& p) { p.step.size = NAN; });
    refused([](Plan& p) { p.l2 = -1; });
    refused([](Plan& p) { p.step.decay = 1.5; });
}

TEST_CASE("no guard loses an increment") {
    const Dataset data = crowded();
    for (const std::string guard : {"locked", "locked-read", "global-lock", "in-turn"}) {
        Plan plan = toy_plan(guard == "in-turn" ? "round-robin" : "hogwild", 3);
        plan.guard = guard == "in-turn" ? "none" : guard;
        plan.telemetry = "exact";
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.telemetry.increments_issued > 0);
        CHECK(outcome.telemetry.increments_lost == 0);
    }
}

TEST_CASE("under locks that are held over the read, nothing is stale") {
    TestSamples samples; // all share a coordinate, so all share its lock
    samples.columns = 3;
    for (int i = 0; i < 2'000; ++i)
        samples.add(i % 2 == 0 ? 1.0f : -1.0f, {0, 1 + static_cast<std::uint32_t>(i % 2)}, {1.0f, 0.5f});
    const Dataset data = toy_dataset(std::move(samples));
    Plan plan = toy_plan("hogwild", 4);
    plan.problem = "logistic"; // writes every sample
    plan.guard = "locked-read";
    plan.telemetry = "exact";
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.telemetry.staleness.count == 8'000);
    CHECK(outcome.telemetry.staleness.max == 0);
}

TEST_CASE("exact telemetry counts every update of atomic, and refuses counts that floats could not hold") {
    const Dataset data = crowded();
    Plan plan = toy_plan("hogwild", 3);
    plan.update = "atomic";
    plan.telemetry = "exact";
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.telemetry.increments_issued > 0);
    CHECK(outcome.telemetry.increments_lost == 0);
    CHECK(outcome.telemetry.staleness.count > 0);
    plan.epochs = 1'000'000;
    CHECK_THROWS_WITH_AS(run(plan, {data}), doctest::Contains("2^24"), Error);
}

TEST_CASE("where workers claim samples, what each has stepped through adds up to what the run did") {
    const Dataset data = toy_dataset(random_samples(1'000, 40, 6, 1));
    for (const std::string scheme :
         {"hogwild", "replicated", "hogwild++", "async-local-sgd", "conflict-free", "cyclades", "svrg", "saga"}) {
        for (const unsigned threads : {1u, 3u}) {
            CAPTURE(scheme);
            CAPTURE(threads);
            Plan plan = toy_plan(scheme, threads);
            if (scheme_traits(scheme).corrects_steps()) plan.problem = "logistic";
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.worker_updates.size() == threads);
            CHECK(std::accumulate(outcome.worker_updates.begin(), outcome.worker_updates.end(), std::uint64_t{0}) ==
                  outcome.updates);
        }
    }
    for (const std::string scheme : {"minibatch", "local-sgd", "round-robin"})
        CHECK(run(toy_plan(scheme, 3), {data}).worker_updates.empty()); // each has its part
}

TEST_CASE("a model that memory cannot hold is refused before it is taken") {
    TestSamples samples;
    samples.add(1.0f, {0, 2'000'000'000}, {1.0f, 1.0f});
    samples.columns = 2'000'000'001;
    const Dataset data("wide", 1, samples.view(), nullptr);
    Plan plan = toy_plan("local-sgd", 1000); // 8 TB of models
    CHECK_THROWS_WITH_AS(run(plan, {data}), doctest::Contains("on 2000000001 coordinates does not fit"), Error);
    Plan network = images_plan("local-sgd", 1000);
    network.network.layers = "dense 1048576 relu; dense 1024 relu; dense 4"; // 5 TB of them
    const Dataset images = images_dataset(RandomImages(8, {8, 8, 1}, 4));
    CHECK_THROWS_WITH_AS(run(network, {images}), doctest::Contains("on 1141904388 coordinates does not fit"), Error);
    CHECK_THROWS_WITH_AS(run(network, {images}),
                         doctest::Contains("; take a smaller network, smaller batches or fewer threads"), Error);
    network.epochs = 1;
    CHECK_THROWS_WITH_AS(run(network, {images}), doctest::Contains("a run of 1 epoch on"), Error);
}

TEST_CASE("every worker's model of local SGD is asked for") {
    TestSamples samples;
    samples.add(1.0f, {0}, {1.0f});
    samples.columns = static_cast<std::uint32_t>(std::min<std::uint64_t>(memory_budget().available / 400, 1u << 30));
    const Dataset data("wide", 1, samples.view(), nullptr); // a hundred such models would fit
    CHECK(why_not(toy_plan("local-sgd", 4), data).empty());
    CHECK_FALSE(why_not(toy_plan("local-sgd", 4'000), data).empty());
    CHECK(why_not(toy_plan("hogwild", 4'000), data).empty());
}

TEST_CASE("of dense samples a GPU copies all columns or none") {
    const Dataset dense = toy_dataset(dense_samples(100, 70, 1)), sparse = toy_dataset(random_samples(100, 70, 6, 1));
    Plan plan = toy_plan("hogwild");
    plan.device = "gpu";
    plan.memory = "device";
    plan.update = "atomic";
    plan.placement = "hottest";
    for (const auto& [hot, fine] : {std::pair{0u, true}, {64u, false}, {70u, true}, {100u, true}}) {
        plan.hot.count = hot;
        CHECK(why_not(plan, dense).empty() == fine);
        CHECK(why_not(plan, sparse).empty());
    }
}
