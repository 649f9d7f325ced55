// Laws of halving with yardsticks: who is halved by itself, and who stands in the last rung.
#include "experiments/tune/halving.h"

#include "tests/experiments/tune/simulated_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

using namespace hogwild;

TEST_CASE("as many candidates begin as the budget can halve with yardsticks, three of whom are in the last rung") {
    for (const double budget : {200.0, 300.0, 500.0, 1000.0}) {
        CAPTURE(budget);
        std::vector<std::size_t> yardsticks(1000, 0);
        for (std::size_t arm = 1; arm < 7; ++arm) yardsticks[arm] = arm;
        Simulated runs;
        const Race race = halve(yardsticks, budget, kLengths, runs.measure());
        CHECK(race.left_out > 0);
        for (const Rung& rung : race.rungs)
            CHECK((rung.race > 0 || rung.whole || rung.arms <= 3)); // at the end once more
        CHECK(race.spent > 0.7 * budget);
    }
}

TEST_CASE("yardsticks are halved by themselves, and one is there at the end") {
    std::vector<std::size_t> yardsticks = rivals(40);
    for (const std::size_t arm : {10u, 20u, 30u, 39u}) yardsticks[arm] = arm; // 67, 33, 100, 29 of a hundred
    Simulated runs;
    const Race race = halve(yardsticks, 1e6, kLengths, runs.measure());
    CHECK(race.order[0].arm == kBest);
    CHECK(race.order[1].arm == 39);
    CHECK(race.order[0].rung == race.order[1].rung);
    CHECK(race.rungs.back().arms == 2);
}

TEST_CASE("the last rung has the winner's own yardstick too, however early it had lost, and the better one is the "
          "yardstick") {
    for (const double own : {1.0, 7.0}) { // what it costs in runs that are long enough
        CAPTURE(own);
        std::vector<std::size_t> yardsticks = rivals(12);
        for (const std::size_t arm : {1u, 2u, 3u, 4u}) yardsticks[arm] = arm;
        for (const std::size_t arm : {0u, 5u, 6u}) yardsticks[arm] = 4;
        std::map<unsigned, std::set<std::size_t>> begun;
        const auto measure = [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            begun[turn.rung].insert(arm);
            if (arm == 4) return Reading{1, turn.rung == 0 ? 100 : own};
            return Reading{1, arm == 0 ? 0.5 : 1 + static_cast<double>(arm)};
        };
        const Race race = halve(yardsticks, 1e6, kLengths, measure);
        CHECK_FALSE(begun.at(1).contains(4));
        CHECK(begun.rbegin()->second == std::set<std::size_t>{0, 1, 4});
        REQUIRE(race.order.size() == 12);
        CHECK(race.order[0].arm == 0);
        CHECK(race.order[1].arm == (own < 2 ? 4 : 1));
        CHECK(race.order[2].arm == (own < 2 ? 1 : 4));
        CHECK(race.order[1].rung == race.order[0].rung);
    }
}

TEST_CASE("a race does not go on for the sake of the winner's own yardstick") {
    unsigned most = 0;
    const Race race =
        halve({0, 1, 1}, 1000, kLengths, [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            most = std::max(most, turn.doublings);
            if (arm == 1) return Reading{1, 50, false, 2}; // the rival's own, which never gets there
            return Reading{1, arm == 0 ? 3.0 : 2.0, turn.doublings > 0, 1};
        });
    REQUIRE(race.order.size() == 3);
    CHECK(race.order[0].arm == 2);
    CHECK(race.order[1].arm == 0);
    CHECK(most == 1);
    CHECK(race.rungs.size() == 2);
}
