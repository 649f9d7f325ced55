// Copies of the hottest coordinates in a block's shared memory.
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "tests/engine/schemes/exact_run.h"
#include "tests/kernels/cuda/device_run.h"
#include "tests/kernels/cuda/path_bound.h"

using namespace hogwild;

TEST_CASE("copies of hot coordinates exchange without counting twice or losing, however many blocks") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_samples(200'000));
    Plan plan = exact_plan("serial");
    plan.epochs = 1;
    const std::vector<float> expected = weights_of(plan, data);
    for (const std::uint32_t hot : {1u, 17u, 50u}) {
        DeviceRun device(data.sparse(), plan);
        device.epoch({132, 8}, 0, {hot, 1.0f});
        CHECK(device.weights() == expected);
        CHECK(downloaded(device.consumed)[0] == 200'000);
    }
}

TEST_CASE("one block of one warp on its copies walks the path of one CPU thread, up to rounding") {
    if (no_device()) return;
    const Dataset data = toy_dataset(random_samples(3'000, 200, 40, 5));
    // An increment of a copied coordinate is rounded when the copy takes it. The exchange that passes it on rounds five
    // times. It rounds what is pushed, the buffer's two sums with it, what is pulled, and the copy that takes that.
    constexpr double kRoundings = 6;
    for (const std::string problem : {"logistic", "squared"}) {
        for (const std::uint32_t hot : {10u, 200u}) {
            Plan plan = toy_plan("serial");
            plan.problem = problem;
            plan.update = "atomic";
            plan.epochs = 1;
            plan.l2 = 0;
            plan.step.size = 0.02;
            DeviceRun device(data.sparse(), plan);
            device.epoch({1, 1}, 0, {hot, 1.0f});
            check_same_path(device.weights(), weights_of(plan, data), data.sparse(), plan, kRoundings);
        }
    }
}
