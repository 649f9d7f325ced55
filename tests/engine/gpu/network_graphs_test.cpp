// Whole runs of networks whose GPU workers are streams that replay a captured graph of their step.
#include "engine/plan/plan.h"
#include "kernels/catalog.h"
#include "tests/engine/gpu/network_runs.h"
#include "tests/references/bounded_descent.h"

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

using namespace hogwild;

namespace {

constexpr double kHalfUlp = 0x1p-24;  // of floats
constexpr double kHalfTf32 = 0x1p-11; // of what tf32 keeps of a factor: 11 significant bits

Plan graphs_plan(const std::string& network, unsigned streams = 1) {
    Plan plan = gpu_plan("hogwild", network);
    plan.gpu.steps = "graphs";
    plan.network.read = "copy";
    plan.gpu.streams = streams;
    return plan;
}

/// How far weights can be from those of another order of the same sums, in units of 1. A step moves a weight by the
/// step size times a gradient. A gradient is a sum of products that goes through two sums of up to `terms` terms for
/// each of `layers` layers. Each rounds by terms x `half_ulp` of what its terms come to, which in these networks is
/// below 4. Both computations round.
double rounding_bound(const Plan& plan, std::uint32_t samples, double terms, double layers, double half_ulp) {
    const double steps = plan.epochs * std::ceil(static_cast<double>(samples) / plan.batch.size);
    return 2 * steps * plan.step.size * 4 * 2 * layers * terms * half_ulp;
}

} // namespace

TEST_CASE(
    "one stream of graphs walks the path of serial SGD on dense layers, up to rounding, and the same at every run") {
    if (no_graphs()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4)); // of which no batch below divides
    for (const std::uint32_t batch : {1u, 5u, 64u, 200u}) {
        CAPTURE(batch);
        Plan plan = graphs_plan(kDense);
        plan.batch.size = batch;
        plan.l2 = 1e-3;
        const std::vector<float> serial = serial_weights(plan, data);
        const double bound = rounding_bound(plan, 103, 64, 3, kHalfUlp);
        for (const std::string update : {"racy", "atomic"}) {
            plan.update = update;
            const std::vector<float> weights = run(plan, {data}).weights;
            CHECK(largest_difference(weights, serial) < bound);
            CHECK(run(plan, {data}).weights == weights);
        }
    }
}

TEST_CASE("every kind of layer steps in a graph as it does on a CPU, up to rounding") {
    if (no_graphs()) return;
    const Dataset data = images_dataset(RandomImages(63, {13, 12, 2}, 4));
    for (const std::string network :
         {"dense 4", "dense 30 sigmoid; dense 20; dropout 0.3; dense 4", "dropout 0.3; dense 4",
          "conv 3 3 relu; maxpool 2; dense 8 tanh; dropout 0.2; dense 4", // which the fused path takes
          "conv 16 3 pad 1 tanh; maxpool 2; conv 9 5 sigmoid; maxpool 2; dense 4",
          "conv 6 3 pad 1 tanh; meanpool 2; dense 12 relu; dense 4",
          "maxpool 3 stride 1; conv 20 2 stride 2 sigmoid; dense 4",
          "conv 5 1 relu; conv 7 3 relu; meanpool 3 stride 2; dense 70 sigmoid; dense 4"}) {
        CAPTURE(network);
        Plan plan = graphs_plan(network);
        plan.batch.size = 10;
        plan.l2 = 1e-3;
        const std::vector<float> weights = run(plan, {data}).weights;
        CHECK(largest_difference(weights, serial_weights(plan, data)) < rounding_bound(plan, 63, 312, 5, kHalfUlp));
    }
}

// On a CPU tests/engine/schemes/runs/optimizers_test.cpp shows that these bounds tell every optimiser from all others.
// They bound single weights. A direction may be a gradient over its own size, and where that is nearly zero, rounding
// is much of it. In the median they are 2e-5 (adagrad), 4e-5 (adam) and 7e-4 (rmsprop, whose directions are up to 32
// long here), of others 2e-6 at most.
TEST_CASE("one stream of graphs steps by every optimiser as serial code does, up to rounding") {
    if (no_graphs()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    for (const std::string_view optimizer : catalog::names<Optimizers>) {
        CAPTURE(optimizer);
        Plan plan = graphs_plan("dense 40 tanh; dense 4");
        plan.optimizer.name = optimizer;
        plan.step.size = 0.0005;
        plan.batch.size = 10;
        const std::vector<Bounded> path = bounded_descent(plan, bound(data.view(), plan));
        CHECK(furthest(serial_weights(plan, data), path) <= 1);
        for (const std::string state : {"shared", "per-worker"}) {
            plan.optimizer.state = state;
            CHECK(furthest(run(plan, {data}).weights, path) <= 1);
        }
    }
}

TEST_CASE("several streams of graphs learn which lines are bright, on every memory, alone and beside threads" *
          doctest::test_suite("no tool")) {
    if (no_graphs()) return;
    const Dataset data = images_dataset(bright_lines(1'000));
    struct Case {
        const char *device, *memory, *update, *products;
    };
    for (const Case& each : {Case{"gpu", "device", "atomic", "float32"},
                             {"gpu", "device", "racy", "float32"},
                             {"gpu", "device", "atomic", "tf32"},
                             {"gpu", "mapped", "atomic", "float32"},
                             {"gpu", "managed", "atomic", "float32"},
                             {"both", "managed-host", "atomic", "float32"},
                             {"both", "replica", "atomic", "float32"}}) {
        CAPTURE(each.device);
        CAPTURE(each.memory);
        CAPTURE(each.update);
        CAPTURE(each.products);
        Plan plan = graphs_plan(images_plan("hogwild").network.layers, 3);
        plan.device = each.device;
        plan.memory = each.memory;
        plan.update = each.update;
        plan.gpu.products = each.products;
        plan.epochs = 6;
        plan.threads = 2;
        check_learns(plan, data, 6'000);
    }
}

TEST_CASE("streams of graphs measure how stale their reading is; atomic loses no increment") {
    if (no_graphs()) return;
    const Dataset data = images_dataset(RandomImages(1'000, {8, 8, 1}, 4));
    for (const std::string telemetry : {"sampled", "exact"}) {
        for (const unsigned streams : {1u, 4u}) {
            CAPTURE(streams);
            Plan plan = graphs_plan(kDense, streams);
            plan.telemetry = telemetry;
            const Outcome outcome = run(plan, {data});
            CHECK(outcome.status == "done");
            CHECK(outcome.gpu.staleness.count == 400); // steps of five images
            if (streams == 1) CHECK(outcome.gpu.staleness.max == 0);
            CHECK(outcome.gpu.updates == 2'000);
            CHECK(outcome.telemetry.increments_lost == 0);
            CHECK((outcome.gpu.increments_issued > 0) == (telemetry == "exact"));
        }
    }
}

TEST_CASE("noop leaves a network of graphs as it began") {
    if (no_graphs()) return;
    Plan plan = graphs_plan(kDense);
    plan.update = "noop";
    const Outcome outcome = run(plan, {images_dataset(RandomImages(103, {8, 8, 1}, 4))});
    CHECK(outcome.status == "done");
    CHECK(outcome.observations.back().train_loss == outcome.observations.front().train_loss);
}

TEST_CASE("tf32 is another precision than float32, by no more than its bits, and the same at every run") {
    if (no_graphs()) return;
    const Dataset data = images_dataset(RandomImages(103, {8, 8, 1}, 4));
    Plan plan = graphs_plan("dense 64 tanh; dense 32 tanh; dense 4"); // sizes that tensor cores take
    plan.batch.size = 32;
    const std::vector<float> in_floats = run(plan, {data}).weights;
    plan.gpu.products = "tf32";
    const std::vector<float> in_tf32 = run(plan, {data}).weights;
    CHECK(in_tf32 != in_floats);
    CHECK(run(plan, {data}).weights == in_tf32);
    CHECK(largest_difference(in_tf32, in_floats) < rounding_bound(plan, 103, 1, 3, kHalfTf32) // each factor rounds once
                                                       + rounding_bound(plan, 103, 64, 3, kHalfUlp));
}

TEST_CASE("a worker's stretch is cut into batches, of which the last has what is left") {
    NetworkTurn turn;
    turn.stretch = {.epoch = 1, .first = 100, .count = 25};
    std::vector<std::uint32_t> seen;
    for (; turn.claimed(10).count > 0; ++turn.next) {
        CHECK(turn.claimed(10).first == 100 + 10 * turn.next);
        seen.push_back(turn.claimed(10).count);
    }
    CHECK(seen == std::vector<std::uint32_t>{10, 10, 5});
    turn = {};
    CHECK(turn.claimed(10).count == 0);
}
