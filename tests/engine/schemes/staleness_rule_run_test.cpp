// Runs whose steps go by their staleness.
#include "engine/error.h"
#include "kernels/staleness_rule.h"
#include "tests/engine/schemes/toy_images.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hogwild;

namespace {

Dataset few_images() { return images_dataset(RandomImages(103, {8, 8, 1}, 4)); }

} // namespace

TEST_CASE("one worker's steps are never stale: under every rule it walks the path of serial SGD") { // oracle 6
    const Dataset data = few_images();
    for (const std::uint32_t batch : {1u, 5u}) {
        Plan plan = images_plan("serial");
        plan.batch = batch;
        plan.epochs = 2;
        const std::vector<float> serial = weights_of(plan, data);
        plan.scheme = "hogwild";
        for (const std::string_view rule : kStalenessRules) {
            plan.staleness_rule = rule;
            plan.staleness_limit = rule == "drop" ? 0 : 1;
            for (const std::string guard : {"none", "locked", "locked-read", "global-lock"}) {
                plan.guard = guard;
                const Outcome outcome = run(plan, {data});
                CHECK(outcome.weights == serial);
                CHECK(outcome.telemetry.steps_dropped == 0);
            }
        }
    }
}

TEST_CASE("steps that were dropped and steps that wrote are all steps") {
    Plan plan = images_plan("hogwild", 4);
    plan.epochs = 20;
    plan.telemetry = "exact"; // counts those that wrote
    plan.delay = 1e-5;        // so that workers lose their cores, and others write meanwhile
    const std::uint64_t steps = 20 * ((103 + plan.batch - 1) / plan.batch);
    for (const std::string_view rule : kStalenessRules) {
        plan.staleness_rule = rule;
        plan.staleness_limit = rule == "drop" ? 0 : 1;
        const Telemetry telemetry = run(plan, {few_images()}).telemetry;
        CHECK(telemetry.staleness.count + telemetry.steps_dropped == steps);
        if (rule != "drop") CHECK(telemetry.steps_dropped == 0);
    }
}

TEST_CASE("workers learn under every rule") {
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const std::string_view rule : kStalenessRules) {
        Plan plan = images_plan("hogwild", 3);
        plan.epochs = 6;
        plan.staleness_rule = rule;
        plan.staleness_limit = 8;
        const Outcome outcome = run(plan, {data, &data});
        CHECK(outcome.status == "done");
        CHECK(outcome.observations.back().scores[0] < 0.05);
    }
}

TEST_CASE("what a staleness rule means nothing for is refused") {
    const auto refused = [](const char* why, void (*change)(Plan&)) {
        CAPTURE(why);
        Plan plan = images_plan("hogwild", 2);
        plan.staleness_rule = "inverse";
        change(plan);
        CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains(why), Error);
    };
    refused("only CPU threads of hogwild", [](Plan& plan) { plan.scheme = "minibatch"; });
    refused("publish knows how stale a step is", [](Plan& plan) { plan.guard = "publish"; });
    refused("use --staleness-limit 1 or more", [](Plan& plan) {
        plan.staleness_rule = "delay-adaptive";
        plan.staleness_limit = 0;
    });
    refused("unknown staleness-rule 'older'", [](Plan& plan) { plan.staleness_rule = "older"; });
    Plan sparse = toy_plan("hogwild", 2);
    sparse.staleness_rule = "drop";
    CHECK_THROWS_WITH_AS(run(sparse, {crowded()}), doctest::Contains("steps that touch every weight"), Error);
}
