// Runs under guard publish: steps read a published vector, and replace the newest one.
#include "engine/error.h"
#include "engine/workers/contexts.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/schemes/toy_images.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hogwild;

namespace {

Dataset few_images() { return images_dataset(RandomImages(103, {8, 8, 1}, 4)); }

Plan publish_plan(unsigned threads) {
    Plan plan = images_plan("hogwild", threads);
    plan.guard = "publish";
    return plan;
}

} // namespace

TEST_CASE("one worker that publishes walks the path of serial SGD") { // oracle 6
    const Dataset data = few_images();
    for (const std::uint32_t batch : {1u, 5u, 1000u}) {
        for (const double l2 : {0.0, 0.01}) {
            for (const std::string step : {"decay", "backoff"}) {
                CAPTURE(batch);
                CAPTURE(l2);
                Plan plan = images_plan("serial");
                plan.batch = batch;
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

TEST_CASE("published vectors have the same bits on every instruction set") {
    check_instruction_sets(publish_plan(1), few_images());
}

TEST_CASE("workers that publish learn, whether they may try once or often, and say how many steps they dropped") {
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const std::uint32_t tries : {1u, 1'000'000u}) {
        Plan plan = publish_plan(4);
        plan.cas_limit = tries;
        plan.epochs = 6;
        plan.delay = 1e-5; // so that workers lose their cores, and others publish meanwhile
        const Outcome outcome = run(plan, {data, &data});
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == 6'000);
        CHECK(outcome.observations.back().scores[0] < 0.05);
        CHECK(outcome.telemetry.steps_dropped <= (tries == 1 ? 6'000 / plan.batch : 0));
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

TEST_CASE("what publishing means nothing for is refused") {
    const auto refused = [](const char* why, void (*change)(Plan&)) {
        CAPTURE(why);
        Plan plan = publish_plan(2);
        change(plan);
        CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains(why), Error);
    };
    refused("goes with racy, not atomic", [](Plan& plan) { plan.update = "atomic"; });
    refused("use --read in-place", [](Plan& plan) { plan.read = "copy"; });
    refused("use --telemetry sampled", [](Plan& plan) { plan.telemetry = "exact"; });
    refused("use --memory host", [](Plan& plan) { plan.memory = "mapped"; });
    Plan sparse = toy_plan("hogwild", 2);
    sparse.guard = "publish";
    CHECK_THROWS_WITH_AS(run(sparse, {crowded()}), doctest::Contains("a step of hinge touches few"), Error);
}
