// The laws of schemes where a network normalises batches: whose statistics a step takes, and who moves the running ones.
#include "engine/error.h"
#include "engine/network/network.h"
#include "engine/plan/plan.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Plan norm_plan(const std::string& scheme, unsigned threads = 1) {
    Plan plan = images_plan(scheme, threads);
    plan.network.layers =
        "batchnorm; conv 3 3; batchnorm relu; maxpool 2; dense 8; batchnorm tanh; dropout 0.2; dense 4";
    plan.epochs = 2;
    return plan;
}

/// Running mean and variance of the first layer: of pixels, which no step changes.
std::vector<float> of_pixels(const std::vector<float>& weights) { return {weights[2], weights[3]}; }

} // namespace

TEST_CASE("one worker that normalises walks serial's path, whatever the policy and the guard" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = few_images();
    for (const std::uint32_t batch : {6u, 51u}) { // the last batch is of one image
        CAPTURE(batch);
        Plan plan = norm_plan("serial");
        plan.batch.size = batch;
        const std::vector<float> serial = weights_of(plan, data);
        plan.scheme = "hogwild";
        for (const std::string read : {"in-place", "copy"}) {
            plan.network.read = read;
            for (const std::string update : {"racy", "atomic", "cas-bounded"}) {
                plan.update = update;
                CHECK(weights_of(plan, data) == serial);
            }
        }
        plan.update = "racy";
        plan.network.read = "in-place";
        for (const std::string guard : {"locked", "locked-read", "global-lock", "publish"}) {
            plan.guard = guard;
            CHECK(weights_of(plan, data) == serial);
        }
        plan.guard = "none";
        plan.telemetry = "exact";
        CHECK(weights_of(plan, data) == serial);
        plan.telemetry = "off";
        plan.scheme = "local-sgd";
        plan.exchange.period = 0;
        CHECK(weights_of(plan, data) == serial);
    }
}

TEST_CASE("synchronous statistics have the same bits at any number of workers, and are serial's") { // oracle 12
    const Dataset data = few_images();
    for (const std::uint32_t batch : {2u, 40u, 49u, 300u}) {
        CAPTURE(batch);
        Plan plan = norm_plan("serial");
        plan.batch.size = batch;
        plan.epochs = 1;
        const std::vector<float> serial = weights_of(plan, data);
        plan.scheme = "minibatch";
        for (const unsigned threads : {1u, 2u, 3u, 7u}) {
            plan.threads = threads;
            CHECK(weights_of(plan, data) == serial);
        }
    }
}

TEST_CASE("every instruction set normalises alike" * doctest::test_suite("not under ThreadSanitizer")) { // oracle 11
    for (const std::string scheme : {"serial", "minibatch"}) check_instruction_sets(norm_plan(scheme), few_images());
}

TEST_CASE("neither step size nor L2 nor optimiser has a say in running statistics") {
    Plan plan = norm_plan("serial");
    const std::vector<float> expected = of_pixels(weights_of(plan, few_images()));
    plan.step.size = 0.001;
    plan.l2 = 0.5;
    CHECK(of_pixels(weights_of(plan, few_images())) == expected);
    for (const std::string optimizer : {"momentum", "adam"}) {
        plan.optimizer.name = optimizer;
        CHECK(of_pixels(weights_of(plan, few_images())) == expected);
    }
}

TEST_CASE("running statistics come to those of the samples, whoever moves them") {
    const RandomImages images(103, {8, 8, 1}, 4);
    double mean = 0, square = 0;
    for (const std::uint8_t pixel : images.pixels) {
        mean += pixel / 255.0 / static_cast<double>(images.pixels.size());
        square += std::pow(pixel / 255.0, 2) / static_cast<double>(images.pixels.size());
    }
    for (const std::string scheme : {"serial", "hogwild", "minibatch", "local-sgd"}) {
        CAPTURE(scheme);
        Plan plan = norm_plan(scheme, scheme == "serial" ? 1 : 3);
        plan.update = "atomic";
        plan.epochs = kThreadSanitizer ? 1 : 15;
        plan.exchange.period = 50;
        const std::vector<float> found = of_pixels(weights_of(plan, few_images()));
        if (kThreadSanitizer) continue;
        // 315 steps of 5 images, a third of them a replica's: what the start leaves is at most 0.95^100 = 0.006. Five deviations of a
        // moving mean of batches of 320 pixels of deviation 0.33, taken for independent.
        const double spread = 5 * 0.33 * std::sqrt(0.05 / 1.95 / 320);
        CHECK(std::abs(found[0] - mean) <= spread + 0.006);
        CHECK(std::abs(found[1] - (square - mean * mean)) <= spread + 0.006);
    }
}

TEST_CASE("every scheme learns which lines are bright by normalised batches") {
    const Dataset data = images_dataset(bright_lines(400));
    for (const std::string scheme : {"serial", "hogwild", "minibatch", "local-sgd", "async-local-sgd"}) {
        CAPTURE(scheme);
        Plan plan = norm_plan(scheme, scheme == "serial" ? 1 : 3);
        // Averages go as far as one of three workers; in which steps these meet is the scheduler's.
        plan.epochs = kThreadSanitizer ? 1 : scheme == "async-local-sgd" ? 24 : 4;
        plan.exchange.period = 100;
        plan.exchange.combine = "average";
        const Outcome outcome = run(plan, {data, &data});
        CHECK(outcome.status == "done");
        if (kThreadSanitizer) continue;
        CHECK(outcome.observations.back().scores[0] < 0.05);
        CHECK(outcome.observations.front().scores[0] > 0.5);
    }
}

TEST_CASE("no guard loses an increment of running statistics") {
    Plan plan = norm_plan("hogwild", 3);
    plan.telemetry = "exact";
    for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
        plan.guard = guard;
        CHECK(run(plan, {few_images()}).telemetry.increments_lost == 0);
    }
}

TEST_CASE("batches that cannot be normalised are refused with what to use instead") {
    const auto refused = [](const Plan& plan, const std::string& words) {
        CAPTURE(words);
        CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains(words.c_str()), Error);
    };
    for (const std::string scheme : {"serial", "hogwild", "minibatch", "local-sgd"}) {
        Plan plan = norm_plan(scheme);
        plan.batch.size = 1;
        refused(plan, "has no variance for batchnorm; use --batch 2 or more");
    }
    Plan plan = norm_plan("round-robin", 2);
    plan.batch.size = 1;
    refused(plan, "round-robin takes single images, which have no variance for batchnorm; use another scheme");
    plan = norm_plan("backup-workers", 2);
    refused(plan, "backup-workers parts a batch where batchnorm wants ghost batches whole; use --scheme minibatch");
}
