// Hogwild! steps on a GPU, against one CPU thread.
#include "engine/run.h"
#include "tests/kernels/cuda/device_run.h"
#include "tests/kernels/cuda/path_bound.h"

#include <numeric>

using namespace hogwild;

TEST_CASE("one warp walks the path of one CPU thread, up to rounding, in every order") {
    if (no_device()) return;
    const Dataset data = toy_dataset(random_samples(3'000, 200, 40, 5)); // rows of 0 to 80 nonzeros
    for (const std::string_view problem : catalog::names<LinearProblems>) {
        for (const std::string_view order : names_of<kOrderTraits>()) {
            for (const std::string update : {"racy", "atomic"}) {
                Plan plan = one_epoch(problem);
                plan.order = order;
                plan.update = update;
                DeviceRun device(data.sparse(), plan);
                device.epoch({1, 1});
                check_same_path(device.weights(), weights_of(plan, data), data.sparse(), plan);
            }
        }
    }
}

TEST_CASE("launch after launch, epoch after epoch, one warp takes serial's steps at serial's pace") {
    if (no_device()) return;
    constexpr std::uint32_t kRows = 3'000;
    const Dataset data = toy_dataset(random_samples(kRows, 200, 40, 6));
    for (const std::string step : {"decay", "inverse-time"}) {
        Plan plan = one_epoch("logistic");
        plan.epochs = 3;
        plan.l2 = 0.01; // lazy: the scale falls with every sample
        plan.step.kind = step;
        plan.step.decay = 0.5;
        DeviceRun device(data.sparse(), plan);
        for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
            for (const Positions at : {Positions{epoch, 0, 1}, {epoch, 1, 1'000}, {epoch, 1'001, kRows - 1'001}}) {
                device.steps(at, {1, 1});
            }
        }
        Timeline timeline(plan, kRows);
        for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch)
            timeline.prepare(epoch, Schedule(plan.step, plan.epochs));
        const auto scale = static_cast<float>(timeline.scale_after(timeline.chunks() - 1));
        std::vector<float> weights = device.weights();
        for (float& weight : weights) weight *= scale;
        check_same_path(weights, weights_of(plan, data), data.sparse(), plan);
        CHECK(downloaded(device.consumed)[0] == 3 * kRows);
    }
}

TEST_CASE("no increment is lost by atomic, however many warps") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(200'000));
    const Plan plan = exact_epoch("atomic");
    const std::vector<float> expected = weights_of(exact_epoch("racy"), data);
    for (const LaunchShape shape : {LaunchShape{1, 1}, {1, 8}, {132, 8}, {1'056, 8}}) {
        DeviceRun device(data.sparse(), plan);
        device.epoch(shape, 2);
        CHECK(device.weights() == expected);
        const std::vector<float> shadow = downloaded(device.shadow);
        CHECK(downloaded(device.clock)[0] == 200'000);
        CHECK(downloaded(device.consumed)[0] == 200'000);
        CHECK(downloaded(device.issued)[0] == 600'000);
        CHECK(std::accumulate(shadow.begin(), shadow.end(), 0.0) == 600'000);
    }
}

TEST_CASE("every writing step has a staleness, and one warp alone has none") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(50'000));
    for (const LaunchShape shape : {LaunchShape{1, 1}, {264, 8}}) {
        DeviceRun device(data.sparse(), exact_epoch("racy"));
        device.epoch(shape, 2);
        const std::vector<unsigned long long> buckets = downloaded(device.buckets);
        CHECK(std::accumulate(buckets.begin(), buckets.end(), 0ULL) == 50'000);
        CHECK(downloaded(device.clock)[0] == 50'000);
        if (shape.blocks == 1) CHECK(downloaded(device.most)[0] == 0);
        const std::vector<float> shadow = downloaded(device.shadow);
        CHECK(std::accumulate(shadow.begin(), shadow.end(), 0.0) <= 150'000);
    }
}
