// Whole runs of networks whose teams have replicas of their own, and exchange increments without waiting for each other.
#include "engine/plan/plan.h"
#include "tests/engine/gpu/network_runs.h"

#include "engine/network/network.h"
#include "tests/references/network_rounding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Plan replicas_plan(const std::string& network, const std::string& combine = "sum") {
    Plan plan = gpu_plan("async-local-sgd", network);
    plan.update = "racy"; // which is not its to choose
    plan.exchange.combine = combine;
    return plan;
}

/// Black images of the first of two classes.
Dataset black(std::uint32_t rows) {
    RandomImages images(rows, {8, 8, 1}, 2);
    std::ranges::fill(images.pixels, std::uint8_t{0});
    std::ranges::fill(images.labels, std::uint8_t{0});
    return images_dataset(images);
}

} // namespace

TEST_CASE("one team has nobody to exchange with, and walks the path of serial SGD, to the bit") { // oracle 6
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const std::string combine : {"sequential", "sum", "average"}) {
        for (const std::string optimizer : {"sgd", "adam"}) {
            CAPTURE(combine);
            CAPTURE(optimizer);
            Plan plan = replicas_plan("dense 40 tanh; dense 4", combine); // whose gradient has no zero but of rows
            plan.optimizer.name = optimizer;
            plan.step.size = 0.0005; // no output comes so near to 1 that its slope is zero
            plan.batch.size = 10;
            plan.exchange.period = 16;
            check_serial_bits_of_a_team(plan, data, serial_weights(plan, data));
        }
    }
}

TEST_CASE("of what any number of teams of any number of streams give nothing is lost, and nothing counts twice") {
    if (no_device()) return;
    // On black images biases alone have gradients. While these are so small that no score tells the classes apart, each
    // sample's slope is one half. Then all steps move a bias by the same power of two, and sums are exact in any order.
    constexpr std::uint32_t kRows = 2'048, kBatch = 4;
    const Dataset data = black(kRows);
    for (const unsigned blocks : {16u, 64u}) {
        for (const unsigned streams : {1u, 4u}) {
            for (const std::uint32_t exchange : {1u, 16u, 100u, 0u}) {
                CAPTURE(blocks);
                CAPTURE(streams);
                CAPTURE(exchange);
                Plan plan = replicas_plan("dense 2");
                plan.batch.size = kBatch;
                plan.step.size = 0x1p-60;
                plan.epochs = 3;
                plan.gpu.blocks = blocks;
                plan.gpu.streams = streams;
                plan.exchange.period = exchange;
                plan.observations_per_epoch = 2;
                const std::vector<float> serial = serial_weights(plan, data);
                const float given = 3 * (kRows / kBatch) * 0x1p-61f;
                REQUIRE(serial.size() == 130);
                REQUIRE(serial[128] == given);
                REQUIRE(serial[129] == -given);
                CHECK(run(plan, {data}).weights == serial);
                plan.exchange.combine = "sequential"; // of steps that get nowhere all is given
                CHECK(run(plan, {data}).weights == serial);
                plan.exchange.combine = "average";
                const Outcome averaged = run(plan, {data});
                const auto teams = static_cast<float>(averaged.gpu.team_updates.size()); // a power of two
                CHECK(averaged.weights[128] == given / teams);
                CHECK(averaged.weights[129] == -given / teams);
                CHECK(std::equal(serial.begin(), serial.begin() + 128, averaged.weights.begin()));
            }
        }
    }
}

TEST_CASE("teams that step one after the other, each in a launch of its own, take serial's steps up to rounding") {
    if (no_device()) return;
    constexpr std::uint32_t kImages = 60, kClasses = 4;
    const MapShape images{9, 8, 2};
    const Dataset data = images_dataset(RandomImages(kImages, images, kClasses));
    for (const std::string network : {"dense 40 relu; dropout 0.2; dense 9 tanh; dense 4",
                                      "conv 3 3 relu; maxpool 2; dense 8 tanh; dense 4", "conv 5 1 relu; dense 4"}) {
        for (const double l2 : {0.0, 1e-3}) {
            CAPTURE(network);
            CAPTURE(l2);
            Plan plan = replicas_plan(network);
            plan.batch.size = kImages; // an epoch is a step, of whichever team is first
            plan.l2 = l2;
            plan.epochs = 6;
            plan.gpu.blocks = 16;
            const std::vector<float> serial = serial_weights(plan, data);
            // As of steps on the shared weights (network_runs_test.cpp): sums are long beside an exchange's three roundings.
            const double bound =
                2.0 * plan.epochs * plan.step.size * step_rounding(network_of(network, images, kClasses), kImages, 1);
            const std::vector<float> weights = run(plan, {data}).weights;
            CHECK(largest_difference(weights, serial) <= bound);
            plan.network.read = "copy";
            CHECK(run(plan, {data}).weights == weights);
        }
    }
}

TEST_CASE("teams with replicas learn which lines are bright, however their increments come together") {
    if (no_device()) return;
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const std::string combine : {"sequential", "sum", "average"}) {
        for (const unsigned streams : {1u, 2u}) {
            CAPTURE(combine);
            CAPTURE(streams);
            Plan plan = replicas_plan(images_plan("hogwild").network.layers, combine);
            plan.gpu.streams = streams;
            plan.gpu.blocks = 16;
            plan.exchange.period = 50;
            plan.epochs = combine == "average" ? 20 : 8;
            check_learns(plan, data, std::uint64_t{1'000} * plan.epochs);
        }
    }
}

TEST_CASE("each replica has an optimiser's state of its own, and running statistics of replicas are averaged") {
    if (no_device()) return;
    const Dataset data = images_dataset(bright_lines(1'000));
    Plan plan = replicas_plan(images_plan("hogwild").network.layers);
    plan.optimizer.name = "adam";
    plan.step.size = 0.003;
    plan.epochs = 8;
    plan.gpu.blocks = 16;
    plan.exchange.period = 50;
    check_learns(plan, data, 8'000);
    plan = replicas_plan("conv 3 3; batchnorm relu; maxpool 2; dense 8 tanh; dense 4", "average");
    plan.epochs = 8;
    plan.gpu.blocks = 16;
    plan.exchange.period = 50;
    check_learns(plan, data, 8'000);
}

TEST_CASE("what single teams with replicas stepped through adds up to all epochs, in whole batches") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(1'000, {8, 8, 1}, 4));
    Plan plan = replicas_plan(kDense);
    plan.gpu.streams = 2;
    plan.gpu.blocks = 12;
    const Outcome outcome = run(plan, {data});
    const std::vector<std::uint64_t>& teams = outcome.gpu.team_updates;
    CHECK(outcome.status == "done");
    CHECK(outcome.updates == 2'000);
    CHECK(outcome.gpu.updates == 2'000);
    CHECK(std::accumulate(teams.begin(), teams.end(), std::uint64_t{0}) == 2'000);
    CHECK(std::ranges::all_of(teams, [&](std::uint64_t samples) { return samples % plan.batch.size == 0; }));
}
