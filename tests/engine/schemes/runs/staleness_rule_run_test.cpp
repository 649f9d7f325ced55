// Runs whose steps go by their staleness.
#include "engine/error.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"
#include "kernels/problems/network.h"
#include "kernels/steps/stale_steps.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/engine/toys/toy_job.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

/// The sum of what all weights moved by in the first step of such a run. Others wrote tau steps between its read and
/// its write. A step that moves none has left its optimiser's count.
double moved(const Plan& plan, const Dataset& data, std::uint64_t tau) {
    const AnyView view = bound(data.view(), plan);
    const auto& images = view.as<ImagesView>();
    ToyJob toy(plan, view, nullptr, kernels_of<Network>());
    WorkerContext& context = toy.contexts[0];
    std::vector<float> weights(view.coordinates());
    for (std::uint32_t j = 0; j < weights.size(); ++j) weights[j] = ImageBatches::initial(images, plan.seed, j);
    const std::vector<float> before = weights;
    const std::vector<std::uint32_t> samples{0, 1, 2, 3, 4};
    const Chunk chunk{.samples = samples.data(),
                      .count = 5,
                      .ahead = 0,
                      .primed = true,
                      .weights = weights.data(),
                      .scale = 1,
                      .decay = 1,
                      .skip = 1,
                      .step = plan.step.size,
                      .epoch = 0,
                      .seed = plan.seed,
                      .batch = 5};
    ImageBatches::Step<Network, ScalarLanes> step(images, chunk, context);
    StaleSteps stale(context);
    stale.read();
    const ImageBatch batch = step.sample(samples.data(), 5);
    step.read(batch);
    context.written->fetch_add(tau);
    if (stale.admits(step)) step.write(Racy(context), batch);
    double sum = 0;
    for (std::uint32_t j = 0; j < weights.size(); ++j) sum += std::abs(double{weights[j]} - before[j]);
    if (context.optimizer != nullptr) CHECK(context.optimizer->steps->load() == (sum > 0 ? 1 : 0));
    return sum;
}

} // namespace

TEST_CASE("one worker's steps are never stale: under every rule it walks the path of serial SGD" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = few_images();
    for (const std::uint32_t batch : {1u, 5u}) {
        Plan plan = images_plan("serial");
        plan.batch.size = batch;
        plan.epochs = 2;
        const std::vector<float> serial = weights_of(plan, data);
        plan.scheme = "hogwild";
        for (const std::string_view rule : kStalenessRules) {
            plan.staleness.rule = rule;
            plan.staleness.limit = rule == "drop" ? 0 : 1;
            for (const std::string guard : {"none", "locked", "locked-read", "global-lock"}) {
                plan.guard = guard;
                const Outcome outcome = run(plan, {data});
                CHECK(outcome.weights == serial);
                CHECK(outcome.telemetry.steps_dropped == 0);
            }
        }
    }
}

TEST_CASE("on sparse rows, too, one worker walks the path of serial SGD under every rule" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = crowded();
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const double l2 : {1e-3, 0.5}) { // the last of several eras
            Plan plan = toy_plan("serial");
            plan.problem = problem;
            plan.l2 = l2;
            plan.epochs = 2;
            const std::vector<float> serial = weights_of(plan, data);
            plan.scheme = "hogwild";
            for (const std::string_view rule : kStalenessRules) {
                plan.staleness.rule = rule;
                plan.staleness.limit = rule == "drop" ? 0 : 1;
                for (const auto& [update, telemetry] :
                     {std::pair{"racy", "off"}, {"racy", "exact"}, {"atomic", "sampled"}}) {
                    plan.update = update;
                    plan.telemetry = telemetry;
                    const Outcome outcome = run(plan, {data});
                    CHECK(outcome.weights == serial);
                    CHECK(outcome.telemetry.steps_dropped == 0);
                }
            }
        }
    }
}

TEST_CASE("of every optimiser too, one worker walks serial's path under every rule" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = few_images();
    for (const std::string_view optimizer : catalog::names<Optimizers>) {
        CAPTURE(optimizer);
        Plan plan = images_plan("serial");
        plan.epochs = 2;
        plan.optimizer.name = optimizer;
        const std::vector<float> serial = weights_of(plan, data);
        plan.scheme = "hogwild";
        for (const std::string_view rule : kStalenessRules) {
            plan.staleness.rule = rule;
            plan.staleness.limit = rule == "drop" ? 0 : 1;
            CHECK(weights_of(plan, data) == serial);
        }
    }
}

TEST_CASE("every optimiser's stale step is smaller by its rule's factor, and a dropped one leaves its state") {
    const Dataset data = few_images();
    for (const std::string_view optimizer : catalog::names<Optimizers>) {
        CAPTURE(optimizer);
        Plan plan = images_plan("hogwild");
        plan.optimizer.name = optimizer;
        const double whole = moved(plan, data, 9);
        REQUIRE(whole > 0);
        const auto check = [&](const char* rule, std::uint64_t tau, double share) {
            plan.staleness.rule = rule;
            plan.staleness.limit = 2;
            CHECK(moved(plan, data, tau) == doctest::Approx(share * whole).epsilon(1e-4));
        };
        check("inverse", 0, 1);
        check("inverse", 3, 0.25);
        check("delay-adaptive", 2, 1);
        check("delay-adaptive", 8, 0.25);
        check("drop", 2, 1);
        check("drop", 3, 0);
    }
}

TEST_CASE("steps that were dropped and steps that wrote are all steps") {
    Plan plan = images_plan("hogwild", 4);
    plan.epochs = kThreadSanitizer ? 4 : 20;
    plan.telemetry = "exact"; // counts those that wrote
    plan.delay = 1e-5;        // so that workers lose their cores, and others write meanwhile
    const std::uint64_t steps = plan.epochs * ((103 + plan.batch.size - 1) / plan.batch.size);
    for (const std::string_view rule : kStalenessRules) {
        plan.staleness.rule = rule;
        plan.staleness.limit = rule == "drop" ? 0 : 1;
        const Telemetry telemetry = run(plan, {few_images()}).telemetry;
        CHECK(telemetry.staleness.count + telemetry.steps_dropped == steps);
        if (rule != "drop") CHECK(telemetry.steps_dropped == 0);
    }
}

TEST_CASE("on sparse rows, too, steps that were dropped and steps that wrote are all steps") {
    Plan plan = toy_plan("hogwild", 8);
    plan.problem = "logistic"; // writes every sample
    plan.telemetry = "exact";  // counts those that wrote
    plan.delay = 1e-6;         // so that workers lose their cores, and others write meanwhile
    for (const std::string_view rule : kStalenessRules) {
        for (const std::string update : {"racy", "atomic"}) {
            plan.update = update;
            plan.staleness.rule = rule;
            plan.staleness.limit = rule == "drop" ? 0 : 1;
            const Telemetry telemetry = run(plan, {crowded()}).telemetry;
            CHECK(telemetry.staleness.count + telemetry.steps_dropped == 4'000);
            if (rule != "drop") CHECK(telemetry.steps_dropped == 0);
            if (update == "atomic") CHECK(telemetry.increments_lost == 0);
        }
    }
}

TEST_CASE("workers learn under every rule") {
    const Dataset data = images_dataset(bright_lines(500));
    for (const std::string_view rule : kStalenessRules) {
        Plan plan = images_plan("hogwild", 3);
        plan.network.layers = "dense 8 relu; dense 4";
        plan.epochs = kThreadSanitizer ? 1 : 8;
        plan.staleness.rule = rule;
        plan.staleness.limit = 8;
        const Outcome outcome = run(plan, {data, &data});
        CHECK(outcome.status == "done");
        if (!kThreadSanitizer) CHECK(outcome.observations.back().scores[0] < 0.05);
    }
}

TEST_CASE("what a staleness rule means nothing for is refused") {
    const auto refused = [](const char* why, void (*change)(Plan&)) {
        CAPTURE(why);
        Plan plan = images_plan("hogwild", 2);
        plan.staleness.rule = "inverse";
        change(plan);
        CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains(why), Error);
    };
    refused("minibatch has no stale steps", [](Plan& plan) { plan.scheme = "minibatch"; });
    refused("publish knows how stale a step is", [](Plan& plan) { plan.guard = "publish"; });
    refused("use --staleness-limit 1 or more", [](Plan& plan) {
        plan.staleness.rule = "delay-adaptive";
        plan.staleness.limit = 0;
    });
    refused("unknown staleness-rule 'older'", [](Plan& plan) { plan.staleness.rule = "older"; });
    const auto sparse = [](void (*change)(Plan&)) {
        Plan plan = toy_plan("hogwild", 2);
        plan.staleness.rule = "drop";
        change(plan);
        return why_not(plan);
    };
    CHECK(sparse([](Plan&) {}).empty());
    CHECK(sparse([](Plan& plan) { plan.problem = "cut"; }) ==
          "steps of cut have no factor that a staleness rule could set; use --staleness-rule none");
    CHECK(sparse([](Plan& plan) { plan.guard = "locked"; }) ==
          "steps of hinge are counted where nothing else is held; use --guard none, or --staleness-rule none");
    CHECK(sparse([](Plan& plan) { plan.update = "cas-bounded"; }) ==
          "steps of hinge are counted under racy and atomic, not cas-bounded; use one of these, or --staleness-rule "
          "none");
    CHECK(sparse([](Plan& plan) {
              plan.device = "gpu";
              plan.memory = "device";
          }) == "a GPU does not count steps on sparse rows; use --device cpu, or --staleness-rule none");
}
