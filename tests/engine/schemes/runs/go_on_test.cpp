// A run in two parts: stopped after any observation, gone on with by another process.
#include "engine/error.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "tests/engine/schemes/run_in_two_parts.h"
#include "tests/engine/toys/toy_images.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

using namespace hogwild;

TEST_CASE("deterministic schemes go on bit by bit from any snapshot") {
    const Dataset data = crowded();
    for (const auto& [scheme, threads] : {std::pair{"serial", 1u},
                                          {"hogwild", 1u},
                                          {"round-robin", 1u},
                                          {"conflict-free", 1u},
                                          {"cyclades", 3u},
                                          {"hogwild++", 1u},
                                          {"minibatch", 3u},
                                          {"local-sgd", 3u}}) {
        for (const char* step : {"decay", "backoff"}) {
            Plan plan = toy_plan(scheme, threads);
            plan.epochs = 3;
            plan.step.kind = step;
            plan.step.plateau = 0.2; // that it shrinks now and then
            plan.observations_per_epoch = 4;
            check_that_every_part_ends_alike(plan, data);
        }
    }
}

TEST_CASE("a run goes on bit by bit across the eras of lazy L2") {
    const Dataset data = crowded();
    for (const char* scheme : {"serial", "hogwild", "round-robin", "conflict-free", "cyclades", "replicated",
                               "hogwild++", "minibatch", "local-sgd"}) {
        Plan plan = toy_plan(scheme);
        plan.l2 = 0.5;
        plan.step.kind = "constant";
        plan.epochs = 3; // 200 bits an epoch; an era has 64
        plan.batch.size = 1;
        plan.observations_per_epoch = 4;
        check_that_every_part_ends_alike(plan, data);
        if (std::string(scheme) != "local-sgd") CHECK(run(plan, {data}).rebases > 2);
    }
}

TEST_CASE("a run on short numbers goes on bit by bit, its random words with it") {
    const Dataset data = crowded();
    for (const char* memory : {"host-bf16", "host-fp16-nearest", "host-int8", "host-int8-shared"}) {
        for (const char* step : {"constant", "backoff"}) {
            Plan plan = toy_plan("serial");
            set_memory(plan, memory);
            plan.l2 = 0.01; // int8: an era ends every 350 samples
            plan.epochs = 3;
            plan.step.kind = step;
            plan.observations_per_epoch = 4;
            check_that_every_part_ends_alike(plan, data);
            plan.scheme = "hogwild";
            check_that_every_part_ends_alike(plan, data);
        }
    }
}

TEST_CASE("one worker that publishes goes on bit by bit from any snapshot") {
    Plan plan = images_plan("hogwild");
    plan.guard = "publish";
    plan.epochs = 2;
    plan.observations_per_epoch = 3;
    check_that_every_part_ends_alike(plan, images_dataset(RandomImages(160, {8, 8, 1}, 4)));
    Plan sparse = toy_plan("hogwild");
    sparse.guard = "publish";
    sparse.l2 = 0.5; // several eras
    sparse.epochs = 2;
    sparse.observations_per_epoch = 3;
    check_that_every_part_ends_alike(sparse, crowded());
}

TEST_CASE("the pseudo-random and the stored orders go on where they were") {
    for (const char* order : {"replacement", "stored"}) {
        Plan plan = toy_plan("serial");
        plan.order = order;
        plan.epochs = 2;
        plan.observations_per_epoch = 3;
        check_that_every_part_ends_alike(plan, crowded());
    }
}

TEST_CASE("workers that race go on from any snapshot to as good an end, each sample counted once") {
    const Dataset data = crowded();
    for (const char* scheme : {"hogwild", "round-robin", "conflict-free"}) {
        for (const char* step : {"decay", "backoff"}) {
            Plan plan = toy_plan(scheme, 3);
            plan.epochs = 6;
            plan.step.kind = step;
            plan.l2 = 0.05; // several eras
            Kept kept(data.view().coordinates());
            const Outcome whole = run(plan, {.train = data, .sink = &kept});
            for (std::size_t count = 1; count <= kept.snapshots().size(); count += 7) {
                const Part before = kept.part(count);
                const Outcome rest = run(plan, {.train = data, .before = &before});
                CHECK(rest.status == "done");
                CHECK(rest.updates == whole.updates);
                CHECK(rest.observations.back().updates == whole.updates);
                CHECK(rest.observations.back().train_loss ==
                      doctest::Approx(whole.observations.back().train_loss).epsilon(0.1));
                CHECK(std::ranges::is_sorted(rest.observations, {}, &Observation::seconds));
            }
        }
    }
}

TEST_CASE("what a sink does when the run has ended is not on the run's clock") {
    using Clock = std::chrono::steady_clock;
    struct Slow : SnapshotSink {
        Clock::time_point ended_at;
        void taken(const Snapshot&, std::span<const double>) override {}
        void ended() override {
            if (ended_at != Clock::time_point{}) return;
            ended_at = Clock::now();
            while (Clock::now() - ended_at < std::chrono::milliseconds(50)) {}
        }
    };
    Slow sink;
    const Clock::time_point begun = Clock::now();
    const Outcome outcome = run(toy_plan("serial"), {.train = crowded(), .sink = &sink});
    CHECK(outcome.seconds <= std::chrono::duration<double>(sink.ended_at - begun).count());
    CHECK(outcome.observations.back().seconds == outcome.seconds);
}

TEST_CASE("how far a snapshot may be from its moment is stated, and nothing where nobody races") {
    const std::uint64_t rows = 100'000;
    Snapshot snapshot;
    CHECK(unsure_samples(toy_plan("serial"), rows, snapshot) == 0);
    CHECK(unsure_samples(toy_plan("hogwild", 1), rows, snapshot) == 0);
    CHECK(unsure_samples(toy_plan("minibatch", 8), rows, snapshot) == 0);
    CHECK(unsure_samples(toy_plan("local-sgd", 8), rows, snapshot) == 0);
    CHECK(unsure_samples(toy_plan("cyclades", 8), rows, snapshot) == 0);
    snapshot.consumed = 1'000;
    CHECK(unsure_samples(toy_plan("round-robin", 8), rows, snapshot) == 256 + 1'000);
    CHECK(unsure_samples(toy_plan("hogwild", 8), rows, snapshot) == 17 * 256 + 1'000);
}

TEST_CASE("what no snapshot says cannot be gone on with") {
    const Dataset data = crowded();
    Plan plan = toy_plan("hogwild", 2);
    Kept kept(data.view().coordinates());
    CHECK(why_not_go_on(plan).empty());
    plan.telemetry = "sampled";
    CHECK_THROWS_WITH_AS(run(plan, {.train = data, .sink = &kept}), doctest::Contains("what one process saw"), Error);
    CHECK_FALSE(kept.has_ended());
    plan.telemetry = "off";
    plan.memory = "mapped";
    CHECK(why_not_go_on(plan) == "memory that a GPU shares is another process's");
    plan.device = "gpu";
    CHECK(why_not_go_on(plan) == "a GPU's copies are looked at when the run has ended");
    plan = toy_plan("serial");
    plan.problem = "network";
    plan.optimizer.name = "momentum";
    CHECK(why_not_go_on(plan) == "the state of --optimizer momentum is in no snapshot");
}
