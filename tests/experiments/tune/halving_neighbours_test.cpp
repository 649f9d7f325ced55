// Laws of the way from a race's winner to its neighbours.
#include "experiments/tune/halving.h"

#include "tests/experiments/tune/simulated_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

using namespace hogwild;

TEST_CASE(
    "from a race's winner the way goes to ever faster neighbours, within the budget, and the race leaves some of it") {
    constexpr std::size_t kAll = 1000, kBest = 620;
    const Neighbours beside = [](std::size_t arm) {
        std::vector<std::size_t> near;
        if (arm > 0) near.push_back(arm - 1);
        if (arm + 1 < kAll) near.push_back(arm + 1);
        return near;
    };
    for (const double budget : {150.0, 300.0, 5000.0}) {
        CAPTURE(budget);
        double spent = 0;
        std::size_t farthest = 0;
        const Measure measure = [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            spent += weight(turn.doublings);
            if (turn.race == 0) farthest = std::max(farthest, arm);
            const double away = std::abs(static_cast<double>(arm) - double{kBest});
            return Reading{weight(turn.doublings), away + 1, turn.doublings >= 3, weight(3) / weight(turn.doublings)};
        };
        const Race race = halve(rivals(kAll), budget, kLengths, measure, beside);
        CHECK(spent <= budget + weight(4));
        CHECK(std::ranges::any_of(race.rungs, &Rung::near));
        for (const Rung& rung : race.rungs) {
            if (!rung.near) continue;
            CHECK(rung.repeats == 1);
            CHECK(rung.arms <= 2);
            CHECK(rung.doublings == 3); // as long as it takes
        }
        const std::size_t winner = race.order.front().arm;
        if (budget > 1000) {
            CHECK(winner == kBest); // which no race of that budget had begun with
            CHECK(farthest < kBest + 2);
        }
    }
}

TEST_CASE("neighbours fit into the budget where nobody gets there, whatever a race took of what is kept for finals") {
    const Lengths kept{8, weight, 0.25};
    const Neighbours all = [](std::size_t) { return std::vector<std::size_t>{996, 997, 998, 999}; };
    std::size_t near = 0;
    for (double budget = 100; budget < 3000; budget += 50) {
        CAPTURE(budget);
        double spent = 0;
        const Measure measure = [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            spent += weight(turn.doublings);
            return Reading{weight(turn.doublings), static_cast<double>(arm) + 1, false, 1.01};
        };
        const Race race = halve(rivals(1000), budget, kept, measure, all);
        CHECK(spent <= budget + weight(8));
        near += std::ranges::any_of(race.rungs, &Rung::near) ? 1 : 0;
    }
    CHECK(near > 0);
}

TEST_CASE("nobody is tried twice as a neighbour, and none has runs longer than who it is compared with took") {
    // 0 takes 11 seconds, its neighbours 1 and 2 take 5 and 7; 1's are 0, 3 and 4, of which 3 takes 2. A run of d doublings lasts 2^d.
    const std::map<std::size_t, double> takes{{0, 11}, {1, 5}, {2, 7}, {3, 2}, {4, 9}};
    const std::map<std::size_t, std::vector<std::size_t>> near{
        {0, {1, 2}}, {1, {0, 3, 4}}, {2, {0}}, {3, {1, 2, 4}}, {4, {1}}};
    std::map<std::size_t, std::vector<unsigned>> walked; // doublings of each one's runs as a neighbour
    unsigned last = 0;
    const Race race = halve(
        {kNoYardstick, kNoYardstick, kNoYardstick, kNoYardstick, kNoYardstick}, 90, {4, weight},
        [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            if (arm > 0 && turn.rung == 0) return Reading{40, 1e9, false, 1e9}; // nobody else begins
            if (arm > 0) walked[arm].push_back(turn.doublings);
            last = turn.doublings;
            const double length = weight(turn.doublings), took = takes.at(arm);
            return Reading{1, took, took <= length, took / length};
        },
        [&](std::size_t arm) { return near.at(arm); });
    CHECK(walked == std::map<std::size_t, std::vector<unsigned>>{{1, {4}}, {2, {4}}, {3, {3}}, {4, {3}}});
    CHECK(race.order.front().arm == 3);
    CHECK(length_of(race.order.front()) == 2);
    CHECK(last == 3);
}

TEST_CASE("neighbours that ran count where an interrupt cuts off others, and else the start stands") {
    for (const std::size_t stop : {0u, 1u, 2u, 3u}) { // neighbours that run
        CAPTURE(stop);
        std::size_t ran = 0;
        const Race race = halve(
            rivals(6), 90, kLengths,
            [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
                if (arm > 0 && turn.rung == 0) return Reading{40, 1e9, false, 1e9}; // nobody else begins
                if (arm > 0 && ran++ == stop) return {};
                return Reading{1, arm == 0 ? 4.0 : 3.0 - static_cast<double>(ran), turn.doublings >= 2, 1};
            },
            [](std::size_t arm) {
                return arm == 0 ? std::vector<std::size_t>{1, 2, 3} : std::vector<std::size_t>{};
            });
        CHECK(race.stopped == (stop < 3));
        CHECK((race.order.front().arm == 0) == (stop == 0));
        CHECK(race.order.front().cost == (stop == 0 ? 4 : 3 - static_cast<double>(stop)));
        CHECK(race.order.front().measured);
    }
}

TEST_CASE("a yardstick that its neighbours make faster than the rival stands before it") {
    const Race race = halve(
        {0, 0, 2}, 1000, kLengths,
        [](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            if (arm == 2 && turn.rung == 0) return Reading{1, 1e9, false, 1e9};
            return Reading{1, arm == 0 ? 10.0 : arm == 1 ? 9.0 : 5.0, turn.rung > 0, 1};
        },
        [](std::size_t arm) { return arm == 0 ? std::vector<std::size_t>{2} : std::vector<std::size_t>{}; });
    REQUIRE(race.order.size() == 3);
    CHECK(race.order[0].arm == 2);
    CHECK(race.order[1].arm == 1);
}

TEST_CASE("neighbours of yardsticks are tried before those of rivals, also where nobody got there") {
    std::vector<std::size_t> yardsticks(8, 0);
    for (std::size_t arm = 0; arm < yardsticks.size(); arm += 2) yardsticks[arm] = arm;
    for (const bool reaches : {true, false}) {
        std::vector<std::size_t> asked;
        const Neighbours beside = [&](std::size_t arm) {
            asked.push_back(arm);
            return std::vector<std::size_t>{(arm + 2) % 8};
        };
        halve(
            yardsticks, 1000, kLengths,
            [=](std::size_t arm, const Turn&) -> std::optional<Reading> {
                return Reading{1, static_cast<double>(arm) + 1, reaches, reaches ? 1.0 : 1e9};
            },
            beside);
        CHECK(asked == std::vector<std::size_t>{0, 1});
    }
}
