#include "engine/record/targets.h"

#include "engine/error.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace hogwild;

namespace {

Observation at(double seconds, double epoch, std::uint64_t updates, double loss) {
    Observation observation;
    observation.seconds = seconds;
    observation.epoch = epoch;
    observation.updates = updates;
    observation.train_loss = loss;
    return observation;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

TEST_CASE("a target is the optimum plus a fraction of what there was to gain") {
    CHECK(target_at(1e-2, 0.25, 1.25) == 0.25 + 0.01);
    CHECK(target_at(1, 0.25, 1.25) == 1.25);
    CHECK(target_at(0.1, 0.5, 0.5) == 0.5);
    CHECK_THROWS_AS(target_at(0.1, kNone, 1), Error);
    CHECK_THROWS_AS(target_at(0.1, 0, kInfinity), Error);
    CHECK_THROWS_AS(target_at(0.1, 1, 0.5), Error);
}

TEST_CASE("time to target is interpolated between the observations around the first crossing") {
    const std::vector<Observation> path = {at(0, 0, 0, 1.0), at(1, 0.5, 100, 0.75), at(3, 1, 200, 0.25),
                                           at(5, 1.5, 300, 0.5), at(7, 2, 400, 0.125)};
    const TimeToTarget crossed = time_to_target(path, 0.375); // three quarters of the way from 0.75 to 0.25
    CHECK(crossed.reached);
    CHECK(crossed.seconds == 2.5);
    CHECK(crossed.updates == 175);
    CHECK(crossed.epochs == 0.875);
}

TEST_CASE("an observation exactly at the target reaches it there") {
    const std::vector<Observation> path = {at(0, 0, 0, 1.0), at(2, 1, 100, 0.5), at(4, 2, 200, 0.25)};
    CHECK(time_to_target(path, 0.5).seconds == 2);
    CHECK(time_to_target(path, 0.25).updates == 200);
    CHECK(time_to_target(path, 1.0).seconds == 0);
    CHECK(time_to_target(path, 2.0).seconds == 0); // met before the first step
}

TEST_CASE("a run that never reaches its target is censored") {
    const std::vector<Observation> path = {at(0, 0, 0, 1.0), at(2, 1, 100, 0.5), at(4, 2, 200, kNone),
                                           at(6, 3, 300, kInfinity)};
    for (const TimeToTarget& never :
         {time_to_target(path, 0.4), time_to_target({}, 0.4), time_to_target(path, kNone)}) {
        CHECK_FALSE(never.reached);
        CHECK(std::isnan(never.seconds));
        CHECK(std::isnan(never.updates));
        CHECK(std::isnan(never.epochs));
    }
}

TEST_CASE("after a loss that is not finite the later observation counts") {
    for (const double bad : {kInfinity, kNone}) {
        const std::vector<Observation> path = {at(0, 0, 0, 1.0), at(2, 1, 100, bad), at(4, 2, 200, 0.25)};
        CHECK(time_to_target(path, 0.5).seconds == 4);
        CHECK(time_to_target(path, 0.5).updates == 200);
    }
}

TEST_CASE("a score comes to its target from the side that is worse, wherever the loss is") {
    std::vector<Observation> path = {at(0, 0, 0, 1.0), at(2, 1, 100, 2.0), at(4, 2, 200, 3.0)};
    const std::array<double, 3> errors = {0.5, 0.25, 0.125}, shares = {0.5, 0.75, 0.875};
    for (std::size_t i = 0; i < path.size(); ++i) path[i].scores = {errors[i], shares[i], kNone};
    CHECK(time_to_target(path, 0.375, {0, false}).seconds == 1);
    CHECK(time_to_target(path, 0.375, {0, false}).updates == 50);
    CHECK(time_to_target(path, 0.8125, {1, true}).seconds == 3);
    CHECK(time_to_target(path, 0.8125, {1, true}).epochs == 1.5);
    CHECK(time_to_target(path, 0.875, {1, true}).updates == 200);
    CHECK(time_to_target(path, 0.25, {1, true}).seconds == 0); // it begins beyond
    CHECK_FALSE(time_to_target(path, 0.9, {1, true}).reached);
    CHECK_FALSE(time_to_target(path, 0.0625, {0, false}).reached);
    CHECK_FALSE(time_to_target(path, 0.5, {2, true}).reached); // never scored
}
