// Hogwild! steps over dense rows on a GPU, against one CPU thread and against the kernel for sparse rows.
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "tests/kernels/cuda/device_run.h"
#include "tests/kernels/cuda/path_bound.h"

#include <numeric>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRows = 3'000;

/// Steps that suit rows whose squared norm is a third of their columns.
Plan dense_plan(const std::string& problem, std::uint32_t columns) {
    Plan plan = one_epoch(problem);
    plan.step.size = std::min(0.02, 0.8 / columns);
    return plan;
}

} // namespace

TEST_CASE("one warp walks the path of one CPU thread over dense rows, up to rounding") {
    if (no_device()) return;
    for (const std::uint32_t columns : {1u, 3u, 4u, 54u, 127u, 128u, 131u, 1'000u}) {
        const Dataset data = toy_dataset(dense_samples(kRows, columns, 5));
        for (const std::string_view problem : catalog::names<LinearProblems>) {
            Plan plan = dense_plan(std::string(problem), columns);
            const std::vector<float> expected = weights_of(plan, data);
            for (const std::string update : {"racy", "atomic"}) {
                plan.update = update;
                DeviceRun device(data.sparse(), plan);
                CHECK(device.dense);
                device.epoch({1, 1});
                check_same_path(device.weights(), expected, data.sparse(), plan);
            }
        }
    }
}

TEST_CASE("the kernels for dense and for sparse rows agree on dense rows, up to rounding") {
    if (no_device()) return;
    for (const std::uint32_t columns : {54u, 131u}) {
        const Dataset data = toy_dataset(dense_samples(kRows, columns, 6));
        for (const std::string order : {"stored", "permutation", "replacement"}) {
            Plan plan = dense_plan("logistic", columns);
            plan.order = order;
            DeviceRun dense(data.sparse(), plan), sparse(data.sparse(), plan);
            sparse.dense = false;
            dense.epoch({1, 1});
            sparse.epoch({1, 1});
            check_same_path(dense.weights(), sparse.weights(), data.sparse(), plan);
        }
    }
}

TEST_CASE("no increment of dense rows is lost by atomic, however many warps, and every one is counted") {
    if (no_device()) return;
    constexpr std::uint32_t kMany = 20'000;
    for (const std::uint32_t columns : {3u, 54u, 131u, 1'000u}) {
        const Dataset data = toy_dataset(exact_dense_samples(kMany, columns));
        const std::vector<float> expected = weights_of(exact_epoch("racy"), data);
        for (const LaunchShape shape : {LaunchShape{1, 1}, {1, 8}, {132, 8}, {1'056, 8}}) {
            DeviceRun device(data.sparse(), exact_epoch("atomic"));
            device.epoch(shape, 2);
            CHECK(device.weights() == expected);
            const std::vector<float> shadow = downloaded(device.shadow);
            const std::vector<unsigned long long> buckets = downloaded(device.buckets);
            CHECK(downloaded(device.clock)[0] == kMany);
            CHECK(downloaded(device.consumed)[0] == kMany);
            CHECK(downloaded(device.issued)[0] == std::uint64_t{kMany} * columns);
            CHECK(std::accumulate(shadow.begin(), shadow.end(), 0.0) == double{kMany} * columns);
            CHECK(std::accumulate(buckets.begin(), buckets.end(), 0ULL) == kMany);
            if (shape.blocks * shape.warps == 1) CHECK(downloaded(device.most)[0] == 0);
        }
    }
}

TEST_CASE("racy increments of dense rows may be lost and none is invented; noop writes nothing") {
    if (no_device()) return;
    const Dataset data = toy_dataset(exact_dense_samples(20'000, 54));
    DeviceRun racy(data.sparse(), exact_epoch("racy"));
    racy.epoch({264, 8}, 2);
    const std::vector<float> shadow = downloaded(racy.shadow);
    CHECK(downloaded(racy.issued)[0] == 20'000ULL * 54);
    CHECK(std::accumulate(shadow.begin(), shadow.end(), 0.0) <= 20'000.0 * 54);
    DeviceRun noop(data.sparse(), exact_epoch("noop"));
    noop.epoch({264, 8});
    CHECK(noop.weights() == std::vector<float>(54));
    CHECK(downloaded(noop.consumed)[0] == 20'000);
}
