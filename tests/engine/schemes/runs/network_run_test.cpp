// The laws of schemes where a step takes a batch of images and touches every weight.
#include "engine/error.h"
#include "engine/network/network.h"
#include "engine/plan/plan.h"
#include "engine/record/first_not_finite.h"
#include "tests/engine/schemes/serial_paths.h"
#include "tests/engine/toys/toy_images.h"
#include "tests/thread_sanitizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

using namespace hogwild;

namespace {} // namespace

TEST_CASE("one worker with any update policy and any guard walks the path of serial SGD on batches" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 6
    const Dataset data = few_images();
    for (const std::uint32_t batch : {1u, 5u, 1000u}) {
        CAPTURE(batch);
        Plan plan = images_plan("serial");
        plan.batch.size = batch;
        plan.epochs = 2;
        const std::vector<float> serial = weights_of(plan, data);
        plan.network.read = "copy";
        CHECK(weights_of(plan, data) == serial);
        plan.scheme = "hogwild";
        for (const std::string read : {"in-place", "copy"}) {
            plan.network.read = read;
            for (const std::string update : {"racy", "atomic", "cas-bounded"}) {
                plan.update = update;
                CHECK(weights_of(plan, data) == serial);
            }
        }
        plan.update = "racy";
        for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
            plan.guard = guard;
            CHECK(weights_of(plan, data) == serial);
        }
        plan.guard = "none";
        for (const std::string telemetry : {"sampled", "exact"}) {
            plan.telemetry = telemetry;
            CHECK(weights_of(plan, data) == serial);
        }
        plan.telemetry = "off";
        plan.scheme = "local-sgd";
        plan.exchange.period = 0;
        CHECK(weights_of(plan, data) == serial);
    }
}

TEST_CASE("round-robin with one worker walks serial's path image by image") {
    Plan plan = images_plan("serial");
    plan.batch.size = 1;
    plan.epochs = 1;
    const std::vector<float> serial = weights_of(plan, few_images());
    plan.scheme = "round-robin";
    CHECK(weights_of(plan, few_images()) == serial);
    plan.threads = 3;
    CHECK(run(plan, {few_images()}).status == "done");
    plan.batch.size = 2;
    CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains("--batch 1"), Error);
}

TEST_CASE("minibatch over images has the same bits at any number of workers, and those of serial steps on its "
          "batches") { // oracle 12
    const Dataset data = few_images();
    Plan plan = images_plan("minibatch");
    check_workers_share_batches(plan, data);
    for (const std::uint32_t batch : {1u, 7u, 300u}) {
        plan.batch.size = batch;
        plan.epochs = 2;
        plan.threads = 3;
        plan.scheme = "minibatch";
        plan.step = {.kind = "constant", .size = 0.05};
        const std::vector<float> together = weights_of(plan, data);
        plan.scheme = "serial";
        plan.threads = 1;
        CHECK(weights_of(plan, data) == together);
    }
}

TEST_CASE("a step size that changes along an epoch is that of the same images under every scheme of one worker" *
          doctest::test_suite("not under ThreadSanitizer")) {
    const Dataset data = images_dataset(RandomImages(1'100, {8, 8, 1}, 4));
    for (const Plan::Step& step : {Plan::Step{.kind = "linear", .size = 0.05, .warm_up = 0.4},
                                   Plan::Step{.kind = "inverse-time", .size = 0.05}}) {
        Plan plan = images_plan("serial");
        plan.epochs = 2;
        plan.batch.size = 10; // no divisor of what steps are held over
        plan.step = step;
        const std::vector<float> serial = weights_of(plan, data);
        for (const std::string scheme : {"minibatch", "local-sgd", "hogwild", "async-local-sgd", "backup-workers"}) {
            CAPTURE(scheme);
            plan.scheme = scheme;
            plan.backup = 0;
            CHECK(weights_of(plan, data) == serial);
        }
    }
}

TEST_CASE("every instruction set walks the same path over images" *
          doctest::test_suite("not under ThreadSanitizer")) { // oracle 11
    for (const std::string scheme : {"serial", "minibatch"}) check_instruction_sets(images_plan(scheme), few_images());
}

TEST_CASE("every scheme learns which lines are bright, and steps on every image") {
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const std::string scheme : {"serial", "hogwild", "round-robin", "minibatch", "local-sgd", "async-local-sgd"}) {
        CAPTURE(scheme);
        Plan plan = images_plan(scheme, scheme == "serial" ? 1 : 3);
        plan.batch.size = scheme == "round-robin" ? 1 : 5;
        plan.exchange.period = 100;
        plan.epochs = kThreadSanitizer ? 1 : 6;
        if (scheme == "round-robin") plan.step.size = 0.01; // of one image, not of the mean of five
        const Outcome outcome = run(plan, {data, &data});
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == plan.epochs * 1'000);
        if (kThreadSanitizer) continue;
        CHECK(outcome.observations.back().scores[0] < 0.05);
        CHECK(outcome.observations.front().scores[0] > 0.5);
    }
}

TEST_CASE("no guard loses an increment of a batch") {
    Plan plan = images_plan("hogwild", 3);
    plan.telemetry = "exact";
    for (const std::string guard : {"locked", "locked-read", "global-lock"}) {
        plan.guard = guard;
        const Telemetry telemetry = run(plan, {few_images()}).telemetry;
        CHECK(telemetry.increments_issued > 0);
        CHECK(telemetry.increments_lost == 0);
    }
    plan.guard = "none";
    plan.update = "atomic";
    CHECK(run(plan, {few_images()}).telemetry.increments_lost == 0);
}

TEST_CASE("a step on images that is too large is a diverged run, not a crash") {
    Plan plan = images_plan("hogwild", 2);
    plan.step.size = 1e20;
    CHECK(run(plan, {few_images()}).status == "diverged");
}

TEST_CASE("a run whose loss is no number any more says at which step, and in which layer") {
    const Dataset data = few_images();
    Plan plan = images_plan("serial");
    plan.network.layers = "conv 3 3; maxpool 2; dense 8; dense 4"; // nothing bounds what goes through
    plan.step = {.kind = "constant", .size = 1e30};
    plan.observations_per_epoch = 1;
    plan.epochs = 2;
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.status == "diverged");
    CHECK(
        outcome.reason ==
        "the training loss was not finite after 1.00 epochs, at step 21: weights of layer 1, conv 3x3 6x6x3, are not");
}

TEST_CASE("a run whose weights stayed finite says in which layer its numbers did not") {
    const Dataset data = few_images();
    Plan plan = images_plan("serial");
    plan.network.layers = "dense 8; dense 4";
    plan.step = {.kind = "constant", .size = 1e18}; // of two such weights' product one is 1e36 times an output
    plan.batch.size = 103;
    plan.observations_per_epoch = 1;
    plan.epochs = 2;
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.status == "diverged");
    CHECK(outcome.reason == "the training loss was not finite after 2.00 epochs, at step 2: all weights are finite, "
                            "outputs of layer 2, dense 4, are not");
}

TEST_CASE("a run whose loss rose says at which step it was beyond twice its start") {
    const Dataset data = few_images();
    Plan plan = images_plan("serial");
    plan.network.layers = "dense 4";
    plan.step = {.kind = "constant", .size = 1e3};
    plan.observations_per_epoch = 1;
    plan.epochs = 3;
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.status == "diverged");
    CHECK(outcome.reason.starts_with("the training loss rose from "));
    CHECK(outcome.reason.ends_with(", and was beyond twice its start after 1.00 epochs, at step 21"));
}

TEST_CASE("with finite weights what broke is the first layer of which an output is no number, for whatever image") {
    RandomImages images(40, {8, 8, 1}, 4); // the last are no whole batch
    const auto said = [&](const std::string& text, auto&& change) {
        const NetworkShape network = network_of(text, {8, 8, 1}, 4);
        std::vector<float> weights(network.coordinates, 1.0f);
        change(network, weights);
        return what_broke(images.view(network), weights.data());
    };
    const auto fill = [](float value) {
        return [value](const NetworkShape&, std::vector<float>& weights) { std::ranges::fill(weights, value); };
    };
    const std::string text = "conv 3 3 relu; maxpool 2; dense 8 relu; dense 4";
    CHECK(said(text, fill(1.0f)) == "all weights are finite, and so is all that a CPU thread computes from them");
    CHECK(said(text, fill(1e30f)) == "all weights are finite, outputs of layer 3, dense relu 8, are not");
    // Whether the convolution goes as one layer with the pooling, or not.
    CHECK(said(text, fill(3e38f)) == "all weights are finite, outputs of layer 1, conv 3x3 relu 6x6x3, are not");
    CHECK(said("conv 3 3 relu; meanpool 2; dense 4", fill(3e38f)) ==
          "all weights are finite, outputs of layer 1, conv 3x3 relu 6x6x3, are not");
    CHECK(said("conv 3 3 tanh; maxpool 2; dense 8 tanh; dense 4", fill(1e38f)) ==
          "all weights are finite, outputs of layer 4, dense 4, are not");
    // The pixels of the last image alone.
    std::ranges::fill(images.pixels, std::uint8_t{0});
    images.pixels.back() = 255;
    CHECK(said("dense 4", [](const NetworkShape&, std::vector<float>& weights) {
              std::fill(weights.begin(), weights.end() - 4, 3e38f);
              std::fill(weights.end() - 4, weights.end(), 1e38f);
          }) == "all weights are finite, outputs of layer 1, dense 4, are not");
}

TEST_CASE("what broke is the first layer with a weight that is no number") {
    const RandomImages images(3, {8, 8, 1}, 4);
    const NetworkShape network = network_of("conv 3 3 relu; maxpool 2; dense 8 tanh; dense 4", {8, 8, 1}, 4);
    std::vector<float> weights(network.coordinates, 1.0f);
    const auto said = [&] { return what_broke(images.view(network), weights.data()); };
    weights.back() = std::numeric_limits<float>::quiet_NaN();
    CHECK(said() == "weights of layer 4, dense 4, are not");
    weights[network.layers[2].weights] = std::numeric_limits<float>::infinity();
    CHECK(said() == "weights of layer 3, dense tanh 8, are not");
    weights[network.layers[0].biases() + 2] = -std::numeric_limits<float>::infinity();
    CHECK(said() == "weights of layer 1, conv 3x3 relu 6x6x3, are not");
}

TEST_CASE("a network that does not fit the images, or a batch that no step takes, is refused") {
    Plan plan = images_plan("serial");
    plan.network.layers = "mlp-784-128-10";
    CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains("takes images of 784 entries"), Error);
    plan = images_plan("hogwild");
    plan.batch.size = 1025;
    CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains("at most 1024 samples; use --batch 1024 or less"),
                         Error);
    plan = images_plan("conflict-free", 2);
    CHECK_THROWS_WITH_AS(run(plan, {few_images()}), doctest::Contains("touches every weight"), Error);
}

TEST_CASE("a batch whose numbers a GPU's kernels cannot count is refused, whatever machine this is") {
    const Dataset data = images_dataset(RandomImages(3, {64, 64, 1}, 4));
    Plan plan = images_plan("hogwild");
    plan.network.layers = "conv 1000 1 relu; meanpool 64; dense 4";
    plan.device = "gpu";
    plan.memory = "device";
    plan.update = "atomic";
    plan.batch.size = 523; // of 2 x (1000 x 64 x 64 + 1000 + 4) + 64 x 64 numbers: 2^32 at last
    CHECK(why_not(plan, data).empty());
    plan.batch.size = 524;
    CHECK(why_not(plan, data).find("count to 2^32; take fewer") != std::string::npos);
}
