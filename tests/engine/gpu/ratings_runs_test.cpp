// Whole runs over ratings with GPU streams, alone and beside CPU threads.
#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/plan.h"
#include "kernels/numbers/half.h"
#include "tests/device.h"
#include "tests/engine/toys/toy_ratings.h"

#include <cmath>
#include <vector>

using namespace hogwild;

namespace {

/// Ratings with something to find.
Dataset planted() {
    TestRatings ratings = random_ratings(60'000, 600, 400, {.mean = 3}, 2);
    TestNumbers numbers(9);
    const std::vector<float> user = numbers.vector<float>(600), item = numbers.vector<float>(400);
    for (Rating& rating : ratings.ratings) rating.value = 3 + user[rating.user] * item[rating.item];
    return ratings_dataset(std::move(ratings));
}

/// Whether every weight is a number of that storage.
bool are_stored(const std::vector<float>& weights, Storage storage) {
    return std::ranges::all_of(weights, [&](float weight) {
        return storage == Storage::kBf16   ? Bf16::widened(Bf16::rounded(weight, 0)) == weight
               : storage == Storage::kFp16 ? Fp16::widened(Fp16::rounded(weight, 0)) == weight
                                           : true;
    });
}

struct Place {
    const char *device, *memory;
};

void check_learns_on(const std::vector<Place>& places) {
    if (no_device()) return;
    const Dataset data = planted();
    Plan plan = ratings_plan("serial");
    plan.epochs = 10;
    plan.l2 = 1e-3;
    RunInputs inputs{data};
    inputs.test = &data;
    const Outcome serial = run(plan, inputs);
    plan.scheme = "hogwild";
    plan.update = "atomic";
    plan.gpu.blocks = 8;
    plan.threads = 2;
    for (const double rank : {8.0, 13.0}) {
        plan.parameters = {rank, 1};
        for (const Place& place : places) {
            plan.device = place.device;
            set_memory(plan, place.memory);
            CAPTURE(memory_name(plan));
            const Outcome outcome = run(plan, inputs);
            CHECK(outcome.status == "done");
            CHECK(outcome.updates == 600'000);
            CHECK(are_stored(outcome.weights, storage_of(memory_kind(plan))));
            CHECK(outcome.weights.size() == 1'000 * (static_cast<std::size_t>(rank) + 1));
            CHECK(outcome.observations.front().train_loss ==
                  doctest::Approx(serial.observations.front().train_loss).epsilon(0.02));
            CHECK(outcome.observations.back().train_loss <
                  serial.observations.back().train_loss + 0.1 * serial.observations.front().train_loss);
            CHECK(outcome.observations.back().scores[0] ==
                  doctest::Approx(std::sqrt(2 * outcome.observations.back().test_loss)));
        }
    }
}

} // namespace

TEST_CASE("streams learn ratings as serial does, on every memory") {
    check_learns_on(
        {{"gpu", "device"}, {"gpu", "device-bf16"}, {"gpu", "device-fp16"}, {"gpu", "managed"}, {"gpu", "replica"}});
}

TEST_CASE("they do beside threads" * doctest::test_suite("no tool")) {
    check_learns_on({{"both", "managed-host"}, {"both", "replica"}});
}

TEST_CASE("steps far below the distance between numbers of 16 bits add up, whatever the policy") {
    if (no_device()) return;
    TestRatings ratings = random_ratings(60'000, 600, 400, {.mean = 3}, 2);
    for (Rating& rating : ratings.ratings) rating.value = 4; // the biases have to find one more than the mean
    const Dataset data = ratings_dataset(std::move(ratings));
    Plan plan = ratings_plan("hogwild");
    plan.device = "gpu";
    plan.gpu.blocks = 1;
    plan.gpu.streams = 1;
    plan.epochs = 10;
    plan.l2 = 0;
    plan.step.size = 1e-4; // of biases near 0.1, where neighbours in bf16 are 5e-4 apart
    plan.parameters = {8, 1};
    const auto left = [&](const std::string& memory, const std::string& update) {
        set_memory(plan, memory);
        plan.update = update;
        return run(plan, {data}).observations.back().train_loss;
    };
    const double floats = left("device", "atomic");
    for (const std::string memory : {"device-bf16", "device-fp16"}) {
        for (const std::string update : {"racy", "atomic"}) {
            CAPTURE(memory);
            CAPTURE(update);
            CHECK(left(memory, update) == doctest::Approx(floats).epsilon(0.02));
        }
    }
}

TEST_CASE("what is added to numbers of 16 bits is counted in floats, and under atomic nothing is lost") {
    if (no_device()) return;
    const Dataset data = planted();
    Plan plan = ratings_plan("hogwild");
    plan.device = "gpu";
    plan.update = "atomic";
    plan.telemetry = "exact";
    plan.epochs = 2;
    for (const std::string memory : {"device", "device-bf16", "device-fp16"}) {
        CAPTURE(memory);
        set_memory(plan, memory);
        const Outcome outcome = run(plan, {data});
        CHECK(outcome.telemetry.increments_issued == 2 * 60'000 * 2 * 9);
        CHECK(outcome.telemetry.increments_lost == 0);
    }
}
