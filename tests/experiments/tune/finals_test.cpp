// Who meets in the finals of a tuning, and what they run.
#include "experiments/tune/finals.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace hogwild;

namespace {

/// Yardsticks are 0, 2, 4, 6 and 7; 1 is compared with 0, 3 with 2, 5 with nothing.
const std::vector<std::size_t> kYardstickOf{0, 0, 2, 2, 4, kNoYardstick, 6, 7};

Standing stands(std::size_t arm, double cost, unsigned doublings, bool measured = true) {
    return {.arm = arm, .cost = cost, .doublings = doublings, .measured = measured, .runs = 1};
}

Race race(const std::vector<std::vector<Standing>>& rungs) {
    Race race;
    for (const auto& order : rungs) {
        Rung rung;
        rung.race = static_cast<unsigned>(race.rungs.size());
        rung.doublings = order.front().doublings;
        rung.order = order;
        race.rungs.push_back(rung);
    }
    race.order = rungs.back();
    race.seeds = 40;
    return race;
}

std::vector<std::size_t> arms_of(const std::vector<Contender>& of) {
    std::vector<std::size_t> arms;
    for (const Contender& each : of) arms.push_back(each.arm);
    return arms;
}

std::vector<Contender> all(const std::vector<std::size_t>& arms) {
    std::vector<Contender> of;
    for (const std::size_t arm : arms) of.push_back({arm, 2});
    return of;
}

/// Runs that take a second each, and what was asked of them.
struct Runs {
    std::map<unsigned, std::vector<std::size_t>> of_seed;
    std::set<unsigned> doublings;
    std::size_t stop = 1000;

    Measure measure() {
        return [this](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            if (--stop == 0) return {};
            of_seed[turn.seed].push_back(arm);
            doublings.insert(turn.doublings);
            return Reading{.spent = 1, .cost = 1};
        };
    }
};

} // namespace

TEST_CASE("serial code that was once the fastest meets the winner, though one slow run threw it out") {
    const Race of = race({{stands(0, 1, 1), stands(2, 2, 1), stands(1, 3, 1)}, {stands(1, 1.5, 2), stands(2, 4, 2)}});
    CHECK(arms_of(contenders(of, kYardstickOf)) == std::vector<std::size_t>{1, 2, 0});
}

TEST_CASE(
    "two rivals at most meet, and three yardsticks, the winner's own and who stands among them; none that missed") {
    const Race of = race({{stands(3, 1, 0), stands(5, 2, 0), stands(0, 3, 0), stands(4, 3.5, 0), stands(6, 4, 0),
                           stands(7, 9, 0), stands(2, 8, 0)},
                          {stands(1, 2.5, 3), stands(7, 5, 3), stands(5, 0.1, 3, false)}});
    CHECK(arms_of(contenders(of, kYardstickOf)) == std::vector<std::size_t>{1, 7, 0, 4, 3});
    const Race lost = race({{stands(3, 1, 0), stands(0, 3, 0)}, {stands(0, 2, 1), stands(1, 0.1, 1, false)}});
    CHECK(arms_of(contenders(lost, kYardstickOf)) ==
          std::vector<std::size_t>{3, 0}); // the rival that stands never got there
    CHECK(contenders(race({{stands(1, 1, 0, false)}}), kYardstickOf).empty());
}

TEST_CASE("nobody meets who is twice as slow as who stands of its kind") {
    const Race of = race({{stands(1, 1, 2), stands(3, 2.1, 2), stands(0, 10, 2), stands(2, 21, 2), stands(4, 19, 2)}});
    CHECK(arms_of(contenders(of, kYardstickOf)) == std::vector<std::size_t>{1, 0, 4});
    const Race late = race({{stands(0, 10, 2), stands(3, 1, 2)}, {stands(2, 21, 2), stands(1, 3, 2)}});
    CHECK(arms_of(contenders(late, kYardstickOf)) == std::vector<std::size_t>{1, 2, 0, 3});
}

TEST_CASE("each one's runs bear half as much again as it took where it got there, and are no longer than that takes") {
    for (const double needs : {0.01, 0.3, 0.34, 0.6, 0.67, 1.0}) {
        for (const unsigned doublings : {0u, 3u}) {
            Standing of = stands(1, 1, doublings);
            of.needs = needs;
            const Contender found = contenders(race({{stands(1, 1, 1, false)}, {of}}), kYardstickOf).front();
            const double length = std::ldexp(1.0, static_cast<int>(found.doublings)),
                         took = std::ldexp(needs, static_cast<int>(doublings));
            CHECK(length >= 1.5 * took);
            CHECK((found.doublings == 0 || length < 3 * took));
        }
    }
    Standing slow = stands(1, 1, 4), fast = stands(1, 1, 4);
    slow.needs = 0.9;
    fast.needs = 0.1;
    CHECK(contenders(race({{slow}, {fast}}), kYardstickOf).front().doublings == 5);
}

TEST_CASE("all run each seed of the finals, and no seed is one of a race") {
    Runs runs;
    const Race of = race({{stands(1, 1, 2), stands(0, 2, 2), stands(2, 3, 2)}});
    const Finals found = finals(of, all({1, 0, 2}), 1000, [&](std::size_t arm, const Turn& turn) {
        CHECK(turn.race == 1);
        return runs.measure()(arm, turn);
    });
    CHECK(found.seeds == kMostSeeds);
    CHECK(found.runs == 3 * kMostSeeds);
    CHECK(found.spent == 3 * kMostSeeds);
    CHECK(runs.of_seed.size() == kMostSeeds);
    CHECK(runs.of_seed.begin()->first == 40);
    for (auto& [seed, arms] : runs.of_seed) {
        std::ranges::sort(arms);
        CHECK(arms == std::vector<std::size_t>{0, 1, 2});
    }
}

TEST_CASE("a short budget has fewer take part, two at least, so that three seeds are likely; it is not overspent") {
    const Race of = race({{stands(1, 1, 2), stands(0, 2, 2), stands(2, 2, 2), stands(3, 2, 2)}});
    for (const double budget : {1.5, 2.0, 4.0, 6.0, 7.0, 12.0, 13.0}) {
        Runs runs;
        const Finals found = finals(of, all({1, 0, 2, 3}), budget, runs.measure());
        CHECK(found.spent < budget + 1);
        CHECK(found.contenders.size() >= 2);
        CHECK(found.runs == found.seeds * found.contenders.size());
        if (budget >= 6) CHECK(found.seeds >= 3);
    }
    Runs none;
    CHECK(finals(of, all({1, 0}), 0, none.measure()).contenders.empty());
    for (const double budget : {0.5, 1.0}) { // of one run: nobody to be compared with
        Runs one;
        const Finals alone = finals(of, all({1, 0}), budget, one.measure());
        CHECK(alone.contenders.empty());
        CHECK(alone.seeds == 0);
        CHECK(alone.runs == 1);
    }
    Runs same;
    CHECK(finals(of, all({1}), 0.5, same.measure()).contenders.size() == 1);
}

TEST_CASE("a seed that an interrupt cuts off counts nothing") {
    const Race of = race({{stands(1, 1, 2), stands(0, 2, 2)}});
    for (const std::size_t stop : {1u, 2u, 3u, 4u, 5u, 6u}) {
        Runs runs{.of_seed = {}, .doublings = {}, .stop = stop};
        const Finals found = finals(of, all({1, 0}), 1000, runs.measure());
        CHECK(found.stopped);
        CHECK(found.seeds == (stop - 1) / 2);
        CHECK(found.contenders.empty() == (found.seeds == 0));
    }
}
