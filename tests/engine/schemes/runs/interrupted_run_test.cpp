// Laws of runs that are interrupted: they end, and know how far they came.
#include "engine/plan/plan.h"
#include "engine/record/recorder.h"
#include "engine/run.h"
#include "engine/run/going_on.h"
#include "kernels/spin_wait.h"
#include "tests/engine/toys/every_scheme.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <thread>

using namespace hogwild;

namespace {

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

TEST_CASE("an interrupted run keeps what it has observed") {
    const Dataset data = crowded();
    for (const Plan& toy : plans_of_every_scheme(3)) {
        for (const std::string kind : {"decay", "backoff"}) {
            std::atomic<bool> interrupt{true}; // before the first chunk: nobody may wait for anybody
            RunInputs inputs{data};
            inputs.interrupt = &interrupt;
            Plan plan = toy;
            plan.step.kind = kind;
            plan.l2 = 0.7;
            if (!why_not(plan).empty()) continue;
            CAPTURE(plan.scheme);
            const Outcome outcome = run(plan, inputs);
            CHECK(outcome.status == "interrupted");
            CHECK(outcome.observations.size() == 1);
        }
    }
}

TEST_CASE("a run interrupted on its way ends, all workers of it, and knows how far it came") {
    const Dataset data = crowded();
    for (const Plan& toy : plans_of_every_scheme(3)) {
        for (const std::string kind : {"constant", "backoff"}) {
            Plan plan = toy;
            plan.step.kind = kind;
            plan.epochs = 300;
            if (!why_not(plan).empty()) continue;
            CAPTURE(plan.scheme);
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
    for (const Plan& toy : plans_of_every_scheme(3)) {
        CAPTURE(toy.scheme);
        Plan plan = toy;
        plan.exchange.cluster = plan.threads; // of several models none is in a snapshot
        if (!why_not_go_on(plan).empty()) continue;
        TooLate late;
        RunInputs inputs{data};
        inputs.interrupt = &late.interrupt;
        inputs.sink = &late;
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
