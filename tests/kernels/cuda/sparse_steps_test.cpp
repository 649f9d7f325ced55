// Hogwild! steps on a GPU, against one CPU thread.
#include "engine/run.h"
#include "tests/engine/schemes/toy_run.h"
#include "tests/kernels/cuda/device_run.h"

#include <cmath>
#include <numeric>

using namespace hogwild;

namespace {

double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = 0, size = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        difference += std::pow(double{a[j]} - b[j], 2);
        size += std::pow(double{b[j]}, 2);
    }
    return std::sqrt(difference / size);
}

/// One epoch of 3,000 samples; the scale of lazy L2 stays in the weights of the device.
Plan one_epoch(const std::string& problem) {
    Plan plan = toy_plan("serial");
    plan.problem = problem;
    plan.epochs = 1;
    plan.l2 = 0;
    plan.step.size = 0.02;
    return plan;
}

/// Hinge with steps so small that every margin stays below 1: each sample adds step x label x value, whatever came before.
/// Labels and values are signs and powers of two, so that sums are exact in any order.
TestSamples exact_samples(std::uint32_t rows) {
    TestSamples samples;
    samples.columns = 50;
    TestNumbers numbers(7);
    for (std::uint32_t i = 0; i < rows; ++i) {
        const std::uint32_t at = numbers.bits() % 48;
        samples.add(numbers.bits() % 2 == 0 ? 1.0f : -1.0f, {at, at + 1, at + 2}, {1.0f, 0.5f, 2.0f});
    }
    return samples;
}

Plan exact_plan(const std::string& update) {
    Plan plan = one_epoch("hinge");
    plan.update = update;
    plan.step.kind = "constant";
    plan.step.size = 0x1p-20;
    return plan;
}

} // namespace

TEST_CASE("one warp walks the path of one CPU thread, up to rounding, in every order") {
    if (no_device()) return;
    const Dataset data = toy_dataset(random_samples(3'000, 200, 40, 5)); // rows of 0 to 80 nonzeros
    for (const std::string_view problem : catalog::names<Problems>) {
        for (const std::string order : {"stored", "permutation", "replacement"}) {
            for (const std::string update : {"racy", "atomic"}) {
                Plan plan = one_epoch(std::string(problem));
                plan.order = order;
                plan.update = update;
                DeviceRun device(data.view(), plan);
                device.epoch({1, 1});
                plan.update = "racy";
                // 3,000 steps, each of which rounds its margin's sum and its increments a few times by 2^-24.
                CHECK(distance(device.weights(), weights_of(plan, data)) < 3'000 * 10 * 0x1p-24);
            }
        }
    }
}

TEST_CASE("lazy L2 is the host's") {
    if (no_device()) return;
    const Dataset data = toy_dataset(random_samples(3'000, 200, 40, 6));
    Plan plan = one_epoch("logistic");
    plan.l2 = 0.01;
    DeviceRun device(data.view(), plan);
    device.epoch({1, 1});
    Timeline timeline(plan, 3'000);
    timeline.prepare(0, Schedule(plan.step));
    const auto scale = static_cast<float>(timeline.scale_after(timeline.chunks() - 1));
    std::vector<float> weights = device.weights();
    for (float& weight : weights) weight *= scale;
    CHECK(distance(weights, weights_of(plan, data)) < 3'000 * 10 * 0x1p-24);
}

TEST_CASE("no increment is lost by atomic, however many warps") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(200'000));
    Plan plan = exact_plan("atomic");
    const std::vector<float> expected = weights_of(exact_plan("racy"), data);
    for (const LaunchShape shape : {LaunchShape{1, 1}, {1, 8}, {132, 8}, {1'056, 8}}) {
        DeviceRun device(data.view(), plan);
        device.epoch(shape, 2);
        CHECK(device.weights() == expected);
        const std::vector<float> shadow = downloaded(device.shadow);
        CHECK(downloaded(device.clock)[0] == 200'000);
        CHECK(downloaded(device.issued)[0] == 600'000);
        CHECK(std::accumulate(shadow.begin(), shadow.end(), 0.0) == 600'000);
    }
}

TEST_CASE("copies of hot coordinates in shared memory exchange without counting twice or losing") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(200'000));
    const std::vector<float> expected = weights_of(exact_plan("racy"), data);
    for (const std::uint32_t hot : {1u, 17u, 50u}) {
        DeviceRun device(data.view(), exact_plan("atomic"));
        const DeviceArray<float> bases(std::size_t{132} * hot);
        device.epoch({132, 24}, 0, {hot, 1.0f, bases.data()});
        CHECK(device.weights() == expected);
    }
}

TEST_CASE("every writing step has a staleness, and one warp alone has none") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(50'000));
    for (const LaunchShape shape : {LaunchShape{1, 1}, {264, 8}}) {
        DeviceRun device(data.view(), exact_plan("racy"));
        device.epoch(shape, 2);
        const std::vector<unsigned long long> buckets = downloaded(device.buckets);
        CHECK(std::accumulate(buckets.begin(), buckets.end(), 0ULL) == 50'000);
        CHECK(downloaded(device.clock)[0] == 50'000);
        if (shape.blocks == 1) CHECK(downloaded(device.most)[0] == 0);
        const std::vector<float> shadow = downloaded(device.shadow);
        CHECK(std::accumulate(shadow.begin(), shadow.end(), 0.0) <= 150'000);
    }
}
