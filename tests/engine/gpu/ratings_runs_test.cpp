// Whole runs over ratings with GPU streams, alone and beside CPU threads.
#include "tests/device.h"
#include "tests/engine/schemes/toy_ratings.h"

#include <cmath>

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

} // namespace

TEST_CASE("streams learn ratings as serial does, on every memory, alone and beside threads") {
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
    plan.blocks = 8;
    plan.threads = 2;
    for (const double rank : {8.0, 13.0}) {
        plan.parameters = {rank, 1};
        for (const auto& [device, memory] : {std::pair{"gpu", "device"},
                                             {"gpu", "managed"},
                                             {"gpu", "replica"},
                                             {"both", "managed-host"},
                                             {"both", "replica"}}) {
            CAPTURE(memory);
            plan.device = device;
            plan.memory = memory;
            const Outcome outcome = run(plan, inputs);
            CHECK(outcome.status == "done");
            CHECK(outcome.updates == 600'000);
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
