// Runs under guard publish: steps read a published vector, and replace the newest one.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "engine/run/fits.h"
#include "engine/workers/contexts.h"
#include "kernels/catalog.h"
#include "kernels/kernels.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <latch>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

Plan publish_plan(unsigned threads) {
    Plan plan = images_plan("hogwild", threads);
    plan.guard = "publish";
    return plan;
}

/// On sparse rows; steps that are never dropped.
Plan sparse_plan(unsigned threads) {
    Plan plan = toy_plan("hogwild", threads);
    plan.guard = "publish";
    plan.cas_limit = 1'000'000;
    return plan;
}

} // namespace

TEST_CASE("one worker that publishes walks the path of serial SGD" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = few_images();
    for (const std::uint32_t batch : {1u, 5u, 1000u}) {
        for (const double l2 : {0.0, 0.01}) {
            for (const std::string step : {"decay", "backoff"}) {
                CAPTURE(batch);
                CAPTURE(l2);
                Plan plan = images_plan("serial");
                plan.batch.size = batch;
                plan.l2 = l2;
                plan.step.kind = step;
                plan.step.plateau = 1e-6; // met where looks were at weights that stay
                plan.epochs = 3;
                const Outcome serial = run(plan, {data});
                plan.scheme = "hogwild";
                plan.guard = "publish";
                plan.cas_limit = 1;
                for (const std::string telemetry : {"off", "sampled"}) {
                    plan.telemetry = telemetry;
                    const Outcome published = run(plan, {data});
                    CHECK(published.weights == serial.weights);
                    CHECK(published.telemetry.steps_dropped == 0);
                    REQUIRE(published.observations.size() == serial.observations.size());
                    for (std::size_t i = 0; i < serial.observations.size(); ++i)
                        CHECK(published.observations[i].train_loss == serial.observations[i].train_loss);
                }
            }
        }
    }
}

TEST_CASE("on sparse rows, too, one worker that publishes walks the path of serial SGD, eras of lazy L2 included" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = crowded();
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const double l2 : {0.0, 1e-3, 0.5}) {
            for (const std::string step : {"constant", "decay", "backoff"}) {
                CAPTURE(problem);
                CAPTURE(l2);
                Plan plan = toy_plan("serial");
                plan.problem = problem;
                plan.l2 = l2;
                plan.step.kind = step;
                plan.epochs = 2;
                const Outcome serial = run(plan, {data});
                plan.scheme = "hogwild";
                plan.guard = "publish";
                plan.cas_limit = 1;
                for (const std::string telemetry : {"off", "sampled"}) {
                    plan.telemetry = telemetry;
                    const Outcome published = run(plan, {data});
                    CHECK(published.weights == serial.weights);
                    CHECK(published.rebases == serial.rebases);
                    CHECK((published.rebases > 0) == (l2 == 0.5));
                    CHECK(published.telemetry.steps_dropped == 0);
                    REQUIRE(published.observations.size() == serial.observations.size());
                    for (std::size_t i = 0; i < serial.observations.size(); ++i)
                        CHECK(published.observations[i].train_loss == serial.observations[i].train_loss);
                }
            }
        }
    }
}

TEST_CASE("published vectors have the same bits on every instruction set" *
          doctest::test_suite("not under ThreadSanitizer")) {
    check_instruction_sets(publish_plan(1), few_images());
    check_instruction_sets(sparse_plan(1), crowded());
}

TEST_CASE(
    "of samples that share no coordinate any number of workers publishes the serial result, across eras") { // oracle 7
    const Dataset data = disjoint();
    Plan plan = toy_plan("serial");
    plan.epochs = 1; // a sample meets itself in the next epoch, perhaps at another worker
    plan.step.kind = "constant";
    for (const double l2 : {1e-3, 0.7}) {
        plan.l2 = l2;
        plan.scheme = "serial";
        plan.guard = "none";
        plan.threads = 1;
        const Outcome serial = run(plan, {data});
        CHECK((serial.rebases > 0) == (l2 == 0.7));
        for (const unsigned threads : {2u, 3u, 8u}) {
            Plan published = sparse_plan(threads);
            published.epochs = plan.epochs;
            published.step = plan.step;
            published.l2 = l2;
            const Outcome outcome = run(published, {data});
            CHECK(outcome.weights == serial.weights);
            CHECK(outcome.rebases == serial.rebases);
            CHECK(outcome.telemetry.steps_dropped == 0);
        }
    }
}

TEST_CASE("no published increment of a sparse row is lost unless its step is counted as dropped") {
    const Dataset data = alike(1'000, 40, 0x1p-4f);
    for (const std::uint32_t tries : {1u, 2u, 1'000'000u}) {
        CAPTURE(tries);
        Plan plan = sparse_plan(8);
        plan.cas_limit = tries;
        plan.l2 = 0;
        plan.step.kind = "constant";
        plan.step.size = 0x1p-10; // margins stay far below hinge's kink: each step adds 2^-14
        plan.delay = 1e-6;
        const Outcome outcome = run(plan, {data});
        const std::uint64_t steps = std::uint64_t{plan.epochs} * 1'000;
        const double sum = std::accumulate(outcome.weights.begin(), outcome.weights.end(), 0.0);
        CHECK(sum == static_cast<double>(steps - outcome.telemetry.steps_dropped) * 0x1p-14);
        CHECK(outcome.telemetry.increments_dropped == 0);
        if (tries == 1'000'000) CHECK(outcome.telemetry.steps_dropped == 0);
    }
}

// Two classes so far apart on the wrong side that what is learnt of an image is its pixels, exactly, whatever others publish.
TEST_CASE("no published increment of a network is lost unless its step is counted as dropped") {
    constexpr std::uint32_t kWorkers = 4, kSteps = 2'000;
    RandomImages images(1, {2, 2, 1}, 2);
    images.pixels = {255, 0, 255, 255};
    images.labels = {0};
    const Dataset data = images_dataset(images);
    for (const std::uint32_t tries : {1u, 2u, 1'000'000u}) {
        CAPTURE(tries);
        Plan plan = publish_plan(kWorkers);
        plan.network.layers = "dense 2";
        plan.cas_limit = tries;
        const AnyView view = bound(data.view(), plan);
        WorkerContexts contexts(plan, view, kWorkers, false,
                                ImageBatches::step_scratch(view.as<ImagesView>(), 1, false));
        std::vector<float> weights(view.coordinates());
        for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = j % 2 == 0 ? -128.0f : 128.0f;
        contexts.begin(weights.data());
        {
            std::latch together(kWorkers);
            std::vector<std::jthread> threads;
            for (std::uint32_t w = 0; w < kWorkers; ++w) {
                threads.emplace_back([&, w] {
                    const std::vector<std::uint32_t> samples(kSteps, 0);
                    const Chunk chunk{samples.data(), kSteps, 0, false, weights.data(), 1, 1, 1, 0x1p-10, 0, 1};
                    together.arrive_and_wait();
                    steps<Network, ScalarLanes, Racy, Publish, NoProbe>(view.as<ImagesView>(), chunk, contexts[w]);
                });
            }
        }
        std::uint64_t made = kWorkers * kSteps;
        for (std::uint32_t w = 0; w < kWorkers; ++w) made -= contexts[w].steps_dropped;
        if (tries == 1'000'000) CHECK(made == kWorkers * kSteps);
        const HeldVector newest = contexts[0].publication.take();
        for (std::size_t j = 0; j < weights.size(); ++j) {
            const bool is_black = j / 2 == 1; // a row of weights that no image has
            const float moved = is_black ? 0.0f : static_cast<float>(made) * 0x1p-10f;
            CHECK(newest.values[j] == (j % 2 == 0 ? weights[j] + moved : weights[j] - moved));
        }
    }
}

TEST_CASE("workers that publish learn, whether they may try once or often, and say how many steps they dropped") {
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const std::uint32_t tries : {1u, 1'000'000u}) {
        Plan plan = publish_plan(4);
        plan.cas_limit = tries;
        plan.epochs = kThreadSanitizer ? 1 : 6;
        plan.delay = 1e-5; // so that workers lose their cores, and others publish meanwhile
        const Outcome outcome = run(plan, {data, &data});
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == plan.epochs * 1'000);
        if (!kThreadSanitizer) CHECK(outcome.observations.back().scores[0] < 0.05);
        CHECK(outcome.telemetry.steps_dropped <= (tries == 1 ? outcome.updates / plan.batch.size : 0));
        CHECK(outcome.telemetry.increments_dropped == 0);
    }
}

TEST_CASE("the vectors of a run are as many as its workers want, and counted before it begins") {
    Plan plan = publish_plan(3);
    const Dataset data = few_images();
    const AnyView view = bound(data.view(), plan);
    const std::uint64_t stride = Publication::stride(view.coordinates());
    CHECK(WorkerContexts::published_floats(plan, view.coordinates()) == (2 * 3 + 1 + 3) * stride);
    WorkerContexts contexts(plan, view, 3, false);
    REQUIRE(contexts.publication() != nullptr);
    CHECK(contexts[2].locks.empty());
    CHECK(contexts[0].increments.size() == stride);
    CHECK(contexts[0].increments.data() + stride == contexts[1].increments.data());
    std::vector<float> weights(view.coordinates(), 3.0f);
    contexts.begin(weights.data());
    const HeldVector newest = contexts[1].publication.take();
    CHECK(std::vector<float>(newest.values, newest.values + view.coordinates()) == weights);
    plan.guard = "locked";
    CHECK(WorkerContexts::published_floats(plan, view.coordinates()) == 0);
    CHECK(WorkerContexts(plan, view, 3, false).publication() == nullptr);
}

TEST_CASE("steps on sparse rows keep no vectors of increments, and an era's end rescales the newest vector alone") {
    const Plan plan = sparse_plan(3);
    const Dataset data = crowded();
    CHECK(WorkerContexts::published_floats(plan, 40) == (2 * 3 + 1) * Publication::stride(40));
    WorkerContexts contexts(plan, data.view(), 3, false);
    CHECK(contexts[2].increments.empty());
    const std::vector<float> weights(40, 3.0f);
    contexts.begin(weights.data());
    contexts.rescale(16, 40, 0.5f);
    const HeldVector newest = contexts[1].publication.take();
    for (std::uint32_t j = 0; j < 40; ++j) CHECK(newest.values[j] == (j < 16 ? 3.0f : 1.5f));
    const HeldVector other = contexts[1].publication.claim(newest.vector + 1);
    CHECK(other.values[20] == 0.0f);
}

TEST_CASE("of sparse rows models up to a size are published, and of other samples none") {
    Plan plan = sparse_plan(2);
    CHECK(why_not(plan, alike(10, kMostPublished, 1.0f)).empty());
    const std::string why = why_not(plan, alike(10, kMostPublished + 1, 1.0f));
    CHECK(why ==
          "publish copies every weight at each step, here 65537, of which one of hinge touches few; it takes up to "
          "65536 such, so use --guard none");
    for (const char* problem : {"factorization", "cut", "skipgram"}) {
        plan.problem = problem;
        CHECK(why_not(plan).ends_with("touches few; use --guard none"));
    }
}

TEST_CASE("what publishing means nothing for is refused") {
    const auto refused = [](const char* why, void (*change)(Plan&)) {
        CAPTURE(why);
        Plan plan = publish_plan(2);
        change(plan);
        CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains(why), Error);
    };
    refused("goes with racy, not atomic", [](Plan& plan) { plan.update = "atomic"; });
    refused("use --read in-place", [](Plan& plan) { plan.network.read = "copy"; });
    refused("use --telemetry sampled", [](Plan& plan) { plan.telemetry = "exact"; });
    refused("use --memory host", [](Plan& plan) { plan.memory = "mapped"; });
    Plan sparse = sparse_plan(2);
    sparse.telemetry = "exact";
    CHECK_THROWS_WITH_AS(run(sparse, {crowded()}), doctest::Contains("use --telemetry sampled"), Error);
}
