// Whole runs of networks with teams of thread blocks, alone and beside CPU threads, and in synchronous batches.
#include "engine/plan/plan.h"
#include "tests/engine/gpu/network_runs.h"

#include "engine/network/network.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/optimizer_traits.h"
#include "tests/references/network_rounding.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

using namespace hogwild;

namespace {

/// Steps of teams and synchronous ones on these networks are serial's, up to two orders of the same sums, one after
/// another. Steps are so small that no difference grows.
void check_networks(const MapShape& images, const std::vector<std::string>& networks) {
    constexpr std::uint32_t kImages = 60, kClasses = 4;
    const Dataset data = images_dataset(RandomImages(kImages, images, kClasses));
    for (const std::string& network : networks) {
        for (const std::uint32_t batch : {10u, kImages}) {
            CAPTURE(network);
            CAPTURE(batch);
            Plan plan = gpu_plan("hogwild", network);
            plan.batch.size = batch;
            plan.l2 = 1e-3;
            const std::vector<float> serial = serial_weights(plan, data);
            const double steps = plan.epochs * kImages / batch;
            // One constant of it is not derived: magnitudes of the order of 1 (tests/references/network_rounding.h).
            const double bound =
                2 * steps * plan.step.size * step_rounding(network_of(network, images, kClasses), batch, 1);
            for (const unsigned blocks : {1u, 8u}) {
                plan.gpu.blocks = blocks;
                CHECK(largest_difference(run(plan, {data}).weights, serial) <= bound);
            }
            plan.scheme = "minibatch";
            CHECK(largest_difference(run(plan, {data}).weights, serial) <= bound);
        }
    }
}

struct Place {
    const char *device, *memory, *update;
};

void check_bright_lines(const std::vector<Place>& places) {
    if (no_device()) return;
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const Place& place : places) {
        Plan plan = gpu_plan("hogwild", images_plan("hogwild").network.layers);
        plan.device = place.device;
        plan.memory = place.memory;
        plan.update = place.update;
        CAPTURE(plan.device);
        CAPTURE(plan.memory);
        CAPTURE(plan.update);
        plan.epochs = 6;
        plan.threads = 2;
        plan.gpu.streams = 2;
        plan.gpu.blocks = 8;
        check_learns(plan, data, 6'000);
    }
}

struct Batches {
    const char *memory, *rule;
    std::uint32_t of_gpu;
};

void check_batches(const std::vector<Batches>& cases) {
    if (no_device()) return;
    const Dataset data = images_dataset(bright_lines(2'000));
    for (const Batches& each : cases) {
        Plan plan = gpu_plan("hogwild", images_plan("hogwild").network.layers);
        plan.device = "both";
        plan.memory = each.memory;
        plan.batch.gpu = each.of_gpu;
        plan.batch.rule = each.rule;
        CAPTURE(plan.memory);
        CAPTURE(plan.batch.rule);
        plan.batch.most = 80; // 5, 10, 20, 40, 80
        plan.step.size = plan.batch.rule == "adaptive-linear" ? 0.01 : 0.05;
        plan.epochs = 12;
        plan.threads = 2;
        plan.gpu.streams = 2;
        plan.gpu.blocks = 16;
        RunInputs inputs{data};
        inputs.test = &data;
        const Outcome outcome = run(plan, inputs);
        CHECK(outcome.status == "done");
        CHECK(outcome.updates == 24'000);
        if (each.of_gpu != 640) CHECK(outcome.observations.back().scores[0] < 0.1);
        const auto fits = [&](const DeviceSteps& of, std::uint64_t samples, std::uint32_t first) {
            CHECK(of.batches.front().batch == first);
            std::uint32_t most = 0;
            for (const BatchChange& change : of.batches) {
                CHECK(change.batch >= plan.batch.size);
                CHECK(change.steps <= of.steps);
                most = std::max(most, change.batch);
            }
            CHECK(most <= std::max(first, most_cpu_batch(plan)));
            CHECK(of.steps <= samples);
            CHECK(of.steps * most >= samples);
            if (plan.batch.rule == "fixed") CHECK(of.batches.size() == 1);
        };
        fits(outcome.batches.cpu, outcome.updates - outcome.gpu.updates, 5);
        fits(outcome.batches.gpu, outcome.gpu.updates, std::max(each.of_gpu, 5u));
    }
}

} // namespace

TEST_CASE("one team of any size walks the path of serial SGD on dense layers, to the bit") { // oracle 6
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const std::uint32_t batch : {1u, 5u, 64u, 200u}) {
        CAPTURE(batch);
        Plan plan = gpu_plan("hogwild", kDense);
        plan.batch.size = batch;
        plan.l2 = 1e-3;
        const std::vector<float> serial = serial_weights(plan, data);
        check_serial_bits_of_a_team(plan, data, serial);
    }
}

TEST_CASE("synchronous batches on a GPU have the bits of serial steps on dense layers, at every run") { // oracle 12
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const std::uint32_t batch : {1u, 7u, 64u, 300u}) {
        CAPTURE(batch);
        Plan plan = gpu_plan("minibatch", kDense);
        plan.batch.size = batch;
        const std::vector<float> weights = run(plan, {data}).weights;
        CHECK(weights == serial_weights(plan, data));
        CHECK(run(plan, {data}).weights == weights);
    }
}

TEST_CASE("a network of one layer, and one whose last layer is wide, have serial's bits") { // oracle 6
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(70, {8, 8, 1}, 4));
    for (const std::string network : {"dense 4", "dense 1100 relu; dense 4"}) {
        CAPTURE(network);
        Plan plan = gpu_plan("hogwild", network);
        plan.batch.size = 32;
        check_serial_bits(plan, data, {1, 8});
    }
}

TEST_CASE("a step on a GPU that is too large is a diverged run, which says in which layer") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(60, {8, 8, 1}, 4));
    for (const std::string scheme : {"hogwild", "minibatch"}) {
        CAPTURE(scheme);
        Plan plan = gpu_plan(scheme, "conv 3 3; maxpool 2; dense 8; dense 4"); // nothing bounds what goes through
        plan.batch.size = 10;
        plan.step.size = 1e30;
        plan.gpu.blocks = 1; // several would take their first steps at once, after which weights are huge and finite
        plan.observations_per_epoch = 1;
        const Outcome outcome = run(plan, {data});
        CAPTURE(outcome.reason);
        CHECK(outcome.status == "diverged");
        CHECK(outcome.reason.find("the training loss was not finite after ") == 0);
        CHECK(outcome.reason.find("weights of layer 1, conv 3x3") != std::string::npos);
    }
}

TEST_CASE("every kind of layer steps on a GPU as it does on a CPU, up to rounding") { // oracle 13
    if (no_device()) return;
    check_networks({9, 8, 2},
                   {"conv 3 3 relu; maxpool 2; dense 8 tanh; dropout 0.2; dense 4",
                    "conv 6 3 pad 1 tanh; meanpool 2; dense 4",
                    "maxpool 3 stride 1; conv 20 2 stride 2 sigmoid; dense 4", "conv 4 2 stride 3 pad 1 relu; dense 4",
                    "conv 5 1 relu; conv 40 3 relu; meanpool 3 stride 2; dense 70 sigmoid; dense 4",
                    "dropout 0.3; dense 4", "conv 9 8 relu; dense 4"});
}

TEST_CASE("convolutions with max pooling take the fused path's step as a CPU takes it, up to rounding") { // oracle 13
    if (no_device()) return;
    check_networks({13, 12, 2},
                   {"conv 6 5 relu; maxpool 2; dense 4",
                    "conv 16 3 pad 1 tanh; maxpool 2; conv 9 5 sigmoid; maxpool 2; dense 4",
                    "conv 3 3 relu; conv 12 3 relu; maxpool 2; dense 8 relu; dense 4",
                    "conv 40 3 pad 1 relu; maxpool 2; conv 24 3 pad 1; maxpool 2; dense 4",
                    "conv 32 5 relu; maxpool 2; dense 512 relu; dense 4"}); // gradients of both kinds by one squad
}

TEST_CASE(
    "one team steps by every optimiser as serial code does, to the bit, and so do synchronous batches") { // oracle 6
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const OptimizerTraits& optimizer : all_optimizers()) {
        if (!optimizer.state) continue;
        CAPTURE(optimizer.name);
        Plan plan = gpu_plan("hogwild", "dense 40 tanh; dense 4"); // whose gradient has no zero but of rows
        plan.optimizer.name = optimizer.name;
        plan.step.size = 0.0005; // no output comes so near to 1 that its slope is zero
        plan.batch.size = 10;
        const std::vector<float> serial = serial_weights(plan, data);
        for (const std::string state : {"shared", "per-worker"}) {
            plan.optimizer.state = state;
            plan.gpu.blocks = 8;
            CHECK(run(plan, {data}).weights == serial);
        }
        plan.scheme = "minibatch";
        CHECK(run(plan, {data}).weights == serial);
    }
}

TEST_CASE("teams learn by an optimiser, wherever its state lives, alone and beside threads") {
    if (no_device()) return;
    const Dataset data = images_dataset(bright_lines(1'000));
    for (const auto& [device, memory, state] : {std::tuple{"gpu", "device", "shared"},
                                                {"gpu", "device", "per-worker"},
                                                {"both", "replica", "per-device"},
                                                {"both", "replica", "per-worker"}}) {
        CAPTURE(device);
        CAPTURE(state);
        Plan plan = gpu_plan("hogwild", images_plan("hogwild").network.layers);
        plan.device = device;
        plan.memory = memory;
        plan.optimizer.name = "adam";
        plan.optimizer.state = state;
        plan.step.size = 0.003;
        plan.epochs = 8;
        plan.threads = 2;
        plan.gpu.streams = 2;
        plan.gpu.blocks = 16;
        check_learns(plan, data, 8'000);
    }
}

TEST_CASE("steps that a staleness rule drops on a GPU are those that are staler than its limit") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(1'000, {8, 8, 1}, 4));
    Plan plan = gpu_plan("hogwild", kDense);
    plan.gpu.blocks = 64;
    plan.telemetry = "sampled";
    for (const auto& [rule, limit] :
         {std::pair{"drop", 0u}, {"drop", 3u}, {"drop", 1'000u}, {"inverse", 0u}, {"delay-adaptive", 2u}}) {
        CAPTURE(rule);
        CAPTURE(limit);
        plan.staleness.rule = rule;
        plan.staleness.limit = limit;
        const Outcome outcome = run(plan, {data});
        const std::uint64_t dropped = outcome.telemetry.steps_dropped;
        CHECK(outcome.status == "done");
        CHECK(outcome.gpu.staleness.count + dropped == 400); // steps of five images
        const bool drops = std::string(rule) == "drop";
        if (drops) CHECK(outcome.gpu.staleness.max <= limit);
        CHECK((dropped > 0) == (drops && limit < 4)); // of eight teams
    }
}

TEST_CASE("teams learn which lines are bright, on memory of the GPU's or that moves, alone and beside threads") {
    check_bright_lines({{"gpu", "device", "atomic"},
                        {"gpu", "device", "racy"},
                        {"gpu", "managed", "atomic"},
                        {"gpu", "replica", "atomic"},
                        {"both", "managed-host", "atomic"},
                        {"both", "replica", "atomic"},
                        {"both", "replica", "racy"}});
}

TEST_CASE("they do on memory of the host, too" * doctest::test_suite("no tool")) {
    check_bright_lines({{"gpu", "mapped", "atomic"}});
}

TEST_CASE("threads and teams learn by batches of their own, fixed and following their speeds") {
    check_batches({{"replica", "fixed", 40},
                   {"managed", "fixed", 640}, // as large as a launch
                   {"replica", "adaptive", 0},
                   {"managed-host", "adaptive", 0},
                   {"replica", "adaptive-linear", 0}});
}

TEST_CASE("by batches of their own on memory of the host, too" * doctest::test_suite("no tool")) {
    check_batches({{"mapped", "adaptive", 80}});
}

TEST_CASE("what single teams stepped through adds up to what the GPU consumed, alone and beside threads") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(1'000, {8, 8, 1}, 4));
    for (const std::string device : {"gpu", "both"}) {
        CAPTURE(device);
        Plan plan = gpu_plan("hogwild", kDense);
        plan.device = device;
        plan.memory = device == "gpu" ? "device" : "replica";
        plan.threads = 1;
        plan.gpu.streams = 2;
        plan.gpu.blocks = 12; // teams of four blocks
        const Outcome outcome = run(plan, {data});
        const std::vector<std::uint64_t>& teams = outcome.gpu.team_updates;
        CHECK(teams.size() == 6);
        CHECK(std::accumulate(teams.begin(), teams.end(), std::uint64_t{0}) == outcome.gpu.updates);
        CHECK(std::ranges::all_of(teams, [&](std::uint64_t samples) { return samples % plan.batch.size == 0; }));
    }
}

TEST_CASE("counted staleness of teams whose batches change is of all their steps") {
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(4'000, {8, 8, 1}, 4));
    Plan plan = gpu_plan("hogwild", kDense);
    plan.device = "both";
    plan.memory = "replica";
    plan.batch.rule = "adaptive";
    plan.batch.most = 160;
    plan.threads = 1;
    plan.gpu.blocks = 32;
    plan.telemetry = "sampled";
    const Outcome outcome = run(plan, {data});
    CHECK(outcome.status == "done");
    CHECK(outcome.gpu.staleness.count == outcome.batches.gpu.steps); // the device's own count
}

TEST_CASE("teams measure how stale their reading is; atomic loses no increment") { // oracle 3
    if (no_device()) return;
    const Dataset data = images_dataset(RandomImages(1'000, {8, 8, 1}, 4));
    for (const std::string telemetry : {"sampled", "exact"}) {
        Plan plan = gpu_plan("hogwild", kDense);
        plan.gpu.blocks = 64;
        plan.telemetry = telemetry;
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.status == "done");
        CHECK(outcome.gpu.staleness.count == 400); // steps of five images
        CHECK(outcome.gpu.updates == 2'000);
        CHECK(outcome.telemetry.increments_lost == 0);
        CHECK((outcome.gpu.increments_issued > 0) == (telemetry == "exact"));
    }
}

TEST_CASE("noop leaves a network as it began") {
    if (no_device()) return;
    Plan plan = gpu_plan("hogwild", kDense);
    plan.update = "noop";
    const Outcome outcome = run(plan, {images_dataset(RandomImages(103, {8, 8, 1}, 4))});
    CHECK(outcome.status == "done");
    CHECK(outcome.observations.back().train_loss == outcome.observations.front().train_loss);
}
