// Whole runs of networks with batch normalisation on a GPU: teams, synchronous batches and graphs.
#include "engine/plan/optimizer_traits.h"
#include "engine/plan/plan.h"
#include "kernels/network/layers/batch_norm.h"
#include "tests/engine/gpu/network_runs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

/// Networks of dense layers, whose sums have the host's order. The first layer is on all pixels, whose sums of slopes
// no step back makes.
constexpr const char* kNormed = "batchnorm; dense 40; batchnorm relu; dropout 0.2; dense 9; batchnorm tanh; dense 4";

Plan as_graphs(Plan plan) {
    plan.gpu.steps = "graphs";
    plan.network.read = "copy";
    return plan;
}

/// How far one step's weights can be from those of another order of the same sums. rounding_bound of
/// network_graphs_test.cpp bounds one step, sums of up to `terms` terms on `layers` layers either way. Each
/// normalisation divides what was rounded before it by a deviation, which in these networks is above 1/16.
double one_step_bound(const Plan& plan, double terms, double layers, double norms) {
    return 2 * plan.step.size * 4 * 2 * layers * terms * 0x1p-24 * std::pow(16, norms);
}

} // namespace

TEST_CASE("one team of any size normalises as serial code does on dense layers, to the bit, and so do synchronous "
          "batches") { // oracle 6
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const std::uint32_t batch : {2u, 6u, 17u, 40u, 51u, 200u}) { // of 6 and 51 the last batch is of one image
        CAPTURE(batch);
        Plan plan = gpu_plan("hogwild", kNormed);
        plan.batch.size = batch;
        plan.l2 = 1e-3;
        const std::vector<float> serial = serial_weights(plan, data);
        check_serial_bits_of_a_team(plan, data, serial);
        plan.update = "atomic";
        plan.network.read = "in-place";
        plan.scheme = "minibatch";
        const std::vector<float> weights = run(plan, {data}).weights;
        CHECK(weights == serial);
        CHECK(run(plan, {data}).weights == weights);
    }
}

TEST_CASE("a step that normalises maps is that of a CPU up to rounding, with few squads and with many, and in graphs") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(70, {13, 12, 2}, 4));
    for (const std::string network :
         {"conv 3 3; batchnorm relu; maxpool 2; dense 4", "batchnorm; conv 6 3 relu; maxpool 2; batchnorm; dense 4",
          "conv 20 3 pad 1; batchnorm tanh; meanpool 2; dense 12; batchnorm relu; dense 4",
          "maxpool 3 stride 1; batchnorm sigmoid; dense 4"}) {
        CAPTURE(network);
        Plan plan = gpu_plan("hogwild", network);
        plan.batch.size = 70; // one step; ghost batches of 16, 16, 16 and 22
        plan.epochs = 1;
        plan.l2 = 1e-3;
        const std::vector<float> serial = serial_weights(plan, data);
        const double bound = one_step_bound(plan, 312, 5, 2);
        const auto check = [&](const Plan& of) {
            const std::vector<float> weights = run(of, {data}).weights;
            CHECK(largest_difference(weights, serial) < bound);
            CHECK(apart(weights, serial) < 1e-5);
            CHECK(run(of, {data}).weights == weights);
        };
        for (const unsigned blocks : {1u, 8u}) {
            plan.gpu.blocks = blocks;
            check(plan);
        }
        if (!no_graphs()) check(as_graphs(plan));
        plan.scheme = "minibatch";
        check(plan);
    }
}

TEST_CASE("one stream of graphs normalises as serial code does, up to rounding") {
    if (no_graphs()) return;
    const Dataset data = images_dataset(RandomImages(61, {8, 8, 1}, 4));
    Plan plan = as_graphs(gpu_plan("hogwild", kNormed));
    plan.epochs = 1;
    for (const std::uint32_t batch : {61u, 64u}) { // of 64 the rest of the tape is zeros
        CAPTURE(batch);
        plan.batch.size = batch;
        const std::vector<float> serial = serial_weights(plan, data);
        const std::vector<float> weights = run(plan, {data}).weights;
        CHECK(largest_difference(weights, serial) < one_step_bound(plan, 64, 3, 3));
        CHECK(apart(weights, serial) < 1e-5);
        CHECK(run(plan, {data}).weights == weights);
    }
}

TEST_CASE("gamma and beta go by every optimiser, running statistics by none, to serial's bit") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const OptimizerTraits& optimizer : all_optimizers()) {
        if (!optimizer.state) continue;
        CAPTURE(optimizer.name);
        Plan plan = gpu_plan("hogwild", "batchnorm tanh; dense 40 tanh; dense 4"); // no gradient but of rows is zero
        plan.optimizer.name = optimizer.name;
        plan.step.size = 0.0005;
        plan.batch.size = 10;
        const std::vector<float> serial = serial_weights(plan, data);
        plan.gpu.blocks = 8;
        CHECK(run(plan, {data}).weights == serial);
        plan.scheme = "minibatch";
        CHECK(run(plan, {data}).weights == serial);
    }
}

TEST_CASE("on a GPU running statistics come to those of the samples, whoever moves them" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const RandomImages images(1'000, {8, 8, 1}, 4);
    double mean = 0, square = 0;
    for (const std::uint8_t pixel : images.pixels) {
        mean += pixel / 255.0 / static_cast<double>(images.pixels.size());
        square += std::pow(pixel / 255.0, 2) / static_cast<double>(images.pixels.size());
    }
    const Dataset data = images_dataset(images);
    const auto check = [&](const Plan& plan) {
        CAPTURE(plan.gpu.steps);
        CAPTURE(plan.scheme);
        CAPTURE(plan.memory);
        const std::vector<float> weights = run(plan, {data}).weights; // gamma, beta, mean, variance of pixels
        // 400 steps: what the start leaves is 0.95^400. The spread allows five deviations of a moving mean of batches
        // of 320 pixels of deviation 0.33, taken for independent. It allows twice that for increments of several
        // workers that meet.
        const double spread = 10 * 0.33 * std::sqrt(0.05 / 1.95 / 320);
        CHECK(std::abs(weights[2] - mean) <= spread);
        CHECK(std::abs(weights[3] - (square - mean * mean)) <= spread);
    };
    Plan plan = gpu_plan("hogwild", kNormed);
    plan.step.size = 0.01;
    plan.gpu.streams = 2;
    plan.gpu.blocks = 16;
    for (const std::string memory : {"device", "mapped", "replica"}) {
        plan.memory = memory;
        check(plan);
        if (!no_graphs()) check(as_graphs(plan));
    }
    plan.memory = "device";
    plan.scheme = "minibatch";
    check(plan);
}

TEST_CASE("teams and graphs learn which lines are bright by normalised batches, alone and beside threads" *
          doctest::test_suite("no tool")) {
    if (no_device()) return;
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const auto& place :
         {std::pair{"gpu", "device"}, {"gpu", "managed"}, {"both", "replica"}, {"both", "managed-host"}}) {
        const char *const device = place.first, *const memory = place.second;
        CAPTURE(device);
        CAPTURE(memory);
        Plan plan =
            gpu_plan("hogwild", "batchnorm; conv 3 3; batchnorm relu; maxpool 2; dense 8; batchnorm tanh; dense 4");
        plan.device = device;
        plan.memory = memory;
        plan.batch.size = 10;
        plan.epochs = 6;
        plan.threads = 2;
        plan.gpu.streams = 2;
        plan.gpu.blocks = 8;
        const auto check = [&](const Plan& of) {
            const Outcome outcome = run(of, {data, &data});
            CHECK(outcome.status == "done");
            CHECK(outcome.observations.back().scores[0] < 0.05);
        };
        check(plan);
        if (!no_graphs()) check(as_graphs(plan));
    }
}

TEST_CASE("atomic loses no increment of gamma, beta and running statistics on a GPU") {
    if (no_device()) return;
    Plan plan = gpu_plan("hogwild", kNormed);
    plan.gpu.streams = 2;
    plan.gpu.blocks = 32;
    plan.telemetry = "exact";
    const Outcome outcome = run(plan, {images_dataset(RandomImages(1'000, {8, 8, 1}, 4))});
    CHECK(outcome.status == "done");
    CHECK(outcome.gpu.increments_issued > 0);
    CHECK(outcome.telemetry.increments_lost == 0);
}
