// Steps over ratings on a GPU, against one CPU thread.
#include "engine/gpu/memory/hot_memory.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "kernels/patterns/factor_pairs.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/kernels/cuda/device_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace hogwild;

namespace {

Plan one_epoch_of_ratings(double rank, bool biases, double damp_above = 0) {
    Plan plan = ratings_plan("serial");
    plan.epochs = 1;
    plan.parameters = {rank, biases ? 1.0 : 0.0, damp_above};
    return plan;
}

/// One CPU thread's weights before the epoch, and those after it.
struct Serial {
    AnyView data;
    std::vector<float> before, after;

    Serial(const Plan& plan, const Dataset& ratings)
        : data(FactorPairs::bound(ratings.view().as<RatingsView>(), {plan.parameters, plan.l2})),
          before(data.coordinates()),
          after(weights_of(plan, ratings)) {
        for (std::uint32_t j = 0; j < before.size(); ++j)
            before[j] = FactorPairs::initial(data.as<RatingsView>(), plan.seed, j);
    }
};

// A product of up to 1,024 factors rounds its sum by less than sqrt(1024) / 2 units of 2^-24. Each of at most 40 steps
// on a row hands on what the ones before rounded, times at most 1.2.
constexpr double kRounding = 40 * 16 * 0x1p-24 * 8;

} // namespace

TEST_CASE("one warp that holds one rating at a time walks the path of one CPU thread over ratings, up to rounding") {
    if (no_device()) return;
    const Dataset ratings = ratings_dataset(random_ratings(1'000, 60, 40, {.mean = 3}, 2));
    for (const double rank : {68.0, 100.0, 128.0, 132.0, 256.0, 260.0, 1'024.0, 1.0, 37.0, 999.0}) {
        for (const bool biases : {false, true}) {
            for (const std::string update : {"racy", "atomic"}) {
                Plan plan = one_epoch_of_ratings(rank, biases);
                const Serial serial(plan, ratings);
                plan.update = update;
                DeviceRun device(serial.data, plan, serial.before);
                device.epoch({1, 1});
                CHECK_MESSAGE(apart(device.weights(), serial.after) < kRounding, "rank " << rank);
            }
        }
    }
}

TEST_CASE("a warp damps the steps of popular users and items as one CPU thread does") {
    if (no_device()) return;
    const Dataset ratings = counted_dataset(random_ratings(1'000, 60, 40, {.mean = 3}, 2));
    const std::vector<float> plain = Serial(one_epoch_of_ratings(68, true), ratings).after;
    for (const double rank : {68.0, 13.0, 132.0}) {
        Plan plan = one_epoch_of_ratings(rank, true, 10);
        const Serial serial(plan, ratings);
        CHECK(serial.after != plain);
        DeviceRun device(serial.data, plan, serial.before);
        device.epoch({1, 1});
        CHECK_MESSAGE(apart(device.weights(), serial.after) < kRounding, "rank " << rank);
    }
}

TEST_CASE("however many warps and ratings in a warp, pairs without a user or an item in common end as serial's") {
    if (no_device()) return;
    TestRatings apart_ratings = random_ratings(30'000, 30'000, 30'000, {.mean = 3}, 4);
    for (std::uint32_t i = 0; i < 30'000; ++i) {
        apart_ratings.ratings[i].user = i;
        apart_ratings.ratings[i].item = (i + 17) % 30'000;
    }
    const Dataset ratings = ratings_dataset(std::move(apart_ratings));
    for (const double rank : {4.0, 8.0, 28.0, 32.0, 64.0, 128.0, 13.0}) {
        for (const LaunchShape shape : {LaunchShape{1, 1}, {3, 8}, {264, 8}}) {
            Plan plan = one_epoch_of_ratings(rank, true);
            const Serial serial(plan, ratings);
            DeviceRun device(serial.data, plan, serial.before);
            device.epoch(shape);
            CHECK_MESSAGE(apart(device.weights(), serial.after) < kRounding, "rank " << rank);
        }
    }
}

TEST_CASE("one warp on copies of the most rated groups walks the path of one CPU thread, up to rounding") {
    if (no_device()) return;
    const Dataset ratings = ratings_dataset(random_ratings(1'000, 60, 40, {.mean = 3}, 2));
    // A copy rounds what it takes, and its exchange what is pushed, the buffer's sums with it, and what comes back.
    constexpr double kRoundings = 6;
    for (const double rank : {132.0, 256.0, 68.0, 37.0}) {
        for (const bool biases : {false, true}) {
            Plan plan = one_epoch_of_ratings(rank, biases, 0);
            const Serial serial(plan, ratings);
            plan.update = "atomic";
            for (const std::uint32_t groups : {1u, 17u, 80u}) {
                plan.hot.count = groups * static_cast<std::uint32_t>(rank + biases);
                const HotMemory hot(plan, serial.data);
                DeviceRun device(serial.data, plan, serial.before);
                device.epoch({1, 1}, 0, hot.exchange());
                CHECK_MESSAGE(apart(device.weights(), serial.after) < kRoundings * kRounding,
                              "rank " << rank << ", hot groups " << groups);
            }
        }
    }
}

TEST_CASE("however many blocks copy them, biases of users and of items add up to the same") {
    if (no_device()) return;
    const Dataset ratings = ratings_dataset(random_ratings(50'000, 60, 40, {.mean = 3}, 2));
    // Without factors and L2 a rating adds one number to both of its biases, whatever it has read.
    for (const double rank : {4.0, 13.0}) {
        Plan plan = one_epoch_of_ratings(rank, true);
        plan.l2 = 0;
        plan.step.size = 0.01;
        plan.update = "atomic";
        const Serial serial(plan, ratings);
        const std::uint32_t biases = 100 * static_cast<std::uint32_t>(rank);
        for (const std::uint32_t groups : {0u, 1u, 50u, 100u}) {
            plan.hot.count = groups * static_cast<std::uint32_t>(rank + 1);
            const HotMemory hot(plan, serial.data);
            DeviceRun device(serial.data, plan, std::vector<float>(serial.before.size()));
            device.epoch({132, 8}, 0, hot.exchange());
            const std::vector<float> after = device.weights();
            CHECK(std::all_of(after.begin(), after.begin() + biases, [](float factor) { return factor == 0; }));
            const double users = std::accumulate(after.begin() + biases, after.begin() + biases + 60, 0.0);
            const double items = std::accumulate(after.begin() + biases + 60, after.end(), 0.0);
            double largest = 0;
            for (const float weight : after) largest = std::max(largest, std::abs(static_cast<double>(weight)));
            // Each of the 100,000 increments is rounded six times at most, by half a unit of the sum that it goes to.
            CHECK(std::abs(users - items) <= 100'000 * 6 * 0x1p-25 * largest);
            CHECK(largest > 0.01);
            CHECK(downloaded(device.consumed)[0] == 50'000);
        }
    }
}

TEST_CASE("a rating counts two rows of factors and biases, and atomic loses none of them") {
    if (no_device()) return;
    const Dataset ratings = ratings_dataset(random_ratings(20'000, 60, 40, {.mean = 3}, 2));
    for (const double rank : {8.0, 36.0, 13.0}) {
        Plan plan = one_epoch_of_ratings(rank, true);
        const Serial serial(plan, ratings);
        for (const std::string update : {"atomic", "racy"}) {
            plan.update = update;
            DeviceRun device(serial.data, plan, serial.before);
            device.epoch({132, 8}, 2);
            const auto issued = static_cast<double>(downloaded(device.issued)[0]);
            const std::vector<float> shadow = downloaded(device.shadow);
            const double kept = std::accumulate(shadow.begin(), shadow.end(), 0.0);
            CHECK(issued == 20'000 * 2 * (rank + 1));
            CHECK(downloaded(device.clock)[0] == 20'000);
            if (update == "atomic") CHECK(kept == issued);
            if (update == "racy") CHECK(kept <= issued);
        }
    }
}
