// Laws of a run: observations, statuses, refusals, convergence.
#include "engine/error.h"
#include "engine/machine/memory_budget.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/spin.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

using namespace hogwild;

namespace {

const std::vector<std::string> kAll = {"serial",    "hogwild",   "round-robin", "conflict-free", "cyclades",
                                       "minibatch", "local-sgd", "replicated",  "hogwild++"};

/// The outcome of a run that is interrupted some time after its first `updates`.
Outcome interrupted(const Plan& plan, const Dataset& data, std::uint64_t updates, std::uint32_t pauses) {
    std::atomic<bool> interrupt{false};
    std::atomic<std::uint64_t> progress{0};
    RunInputs inputs{data};
    inputs.interrupt = &interrupt;
    inputs.progress = &progress;
    std::jthread finger([&](const std::stop_token& over) {
        while (progress.load() < updates && !over.stop_requested()) std::this_thread::yield();
        for (std::uint32_t i = 0; i < pauses; ++i) cpu_relax();
        interrupt = true;
    });
    return run(plan, inputs);
}

/// Interrupts a run whose clock has stopped.
class TooLate final : public SnapshotSink {
public:
    void taken(const Snapshot&, std::span<const double>) override {}
    void ended() override { interrupt = true; }

    std::atomic<bool> interrupt{false};
};

} // namespace

TEST_CASE("every scheme observes from start to end, in order, and counts every sample") {
    const Dataset data = crowded();
    for (const std::string& scheme : kAll) {
        const Outcome outcome = run(toy_plan(scheme, scheme == "serial" ? 1 : 3), {data});
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
    for (const SchemeTraits* const scheme : all_schemes()) {
        for (const unsigned threads : {1u, 3u}) {
            if (threads > 1 && scheme->writers == Writers::kOne) continue;
            CAPTURE(scheme->name);
            CAPTURE(threads);
            Plan plan = toy_plan(std::string(scheme->name), threads);
            if (scheme->corrects_steps() || scheme->steps_on_columns()) plan.problem = "logistic";
            plan.backup = std::min(plan.backup, threads - 1);
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            CHECK(outcome.updates == 4'000);
            CHECK(outcome.observations.size() >= 20);
            CHECK(outcome.observations.back().train_loss < 0.9 * outcome.observations.front().train_loss);
        }
    }
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
    for (const std::string& scheme : kAll) {
        Plan plan = toy_plan(scheme);
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

TEST_CASE("an interrupted run keeps what it has observed") {
    const Dataset data = crowded();
    for (const std::string& scheme : kAll) {
        for (const std::string kind : {"decay", "backoff"}) {
            std::atomic<bool> interrupt{true}; // before the first chunk: nobody may wait for anybody
            RunInputs inputs{data};
            inputs.interrupt = &interrupt;
            Plan plan = toy_plan(scheme, scheme == "serial" ? 1 : 3);
            plan.step.kind = kind;
            plan.l2 = 0.7;
            const Outcome outcome = run(plan, inputs);
            CHECK(outcome.status == "interrupted");
            CHECK(outcome.observations.size() == 1);
        }
    }
}

TEST_CASE("a run interrupted on its way ends, all workers of it, and knows how far it came") {
    const Dataset data = crowded();
    for (const std::string& scheme : kAll) {
        for (const std::string kind : {"constant", "backoff"}) {
            Plan plan = toy_plan(scheme, scheme == "serial" ? 1 : 3);
            plan.step.kind = kind;
            plan.epochs = 300;
            const Outcome outcome = interrupted(plan, data, 1, 0);
            if (outcome.status == "done") continue; // the finger never came to press
            CHECK(outcome.status == "interrupted");
            CHECK(outcome.updates < 300'000);
            CHECK(outcome.updates == outcome.observations.back().updates);
            CHECK(std::ranges::is_sorted(outcome.observations, {}, &Observation::updates));
        }
    }
}

TEST_CASE("an interrupt that comes when all steps are taken takes none back: two observations are left to evaluate") {
    const Dataset data = crowded();
    for (const std::string& scheme : kAll) {
        TooLate late;
        RunInputs inputs{data};
        inputs.interrupt = &late.interrupt;
        inputs.sink = &late;
        Plan plan = toy_plan(scheme, scheme == "serial" ? 1 : 3);
        plan.exchange.cluster = plan.threads; // of several models none is in a snapshot
        const Outcome outcome = run(plan, inputs);
        REQUIRE(late.interrupt);
        CHECK(outcome.status == "interrupted");
        CHECK(outcome.observations.size() == 2);
        CHECK(outcome.updates == 4'000);
    }
}

TEST_CASE("an interrupt leaves nobody waiting: for a turn, at an era's end, for a decision") {
    const Dataset data =
        toy_dataset(random_samples(3, 40, 6, 1)); // chunks of one sample, eras and decisions every third
    for (const std::string scheme : {"round-robin", "hogwild", "cyclades", "replicated", "hogwild++"}) {
        Plan plan = toy_plan(scheme, 3);
        plan.epochs = 1'000;
        plan.observations_per_epoch = 1;
        plan.l2 = 0.7;
        for (std::uint32_t attempt = 0; attempt < 50; ++attempt) {
            plan.step.kind = attempt % 2 == 0 ? "constant" : "backoff";
            const Outcome outcome = interrupted(plan, data, 1 + attempt % 5, 1'000 * attempt);
            CHECK((outcome.status == "interrupted" || outcome.status == "done"));
        }
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
