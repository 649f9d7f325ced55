#include "experiments/tune/compared.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

using namespace hogwild;

namespace {

double weight(unsigned doublings) { return std::ldexp(1.0, static_cast<int>(doublings)); }

/// Longer runs are an eighth as long as expected, so that a budget has several races.
const Lengths kEightfold{4, [](unsigned doublings) { return doublings == 0 ? 1 : 8 * weight(doublings); }};

/// Of ten candidates six race first, and those that are left race against whoever won; runs that reach the target have all doublings.
constexpr double kTwoRaces = 430, kFar = 16;

/// 0, 2 and 6 are yardsticks, the others rivals.
std::vector<std::size_t> ten() {
    std::vector<std::size_t> yardsticks(10, kNoYardstick);
    for (const std::size_t arm : {0u, 2u, 6u}) yardsticks[arm] = arm;
    return yardsticks;
}

/// Candidates whose times are as random as a machine whose pace changes from rung to rung makes them.
struct Shaken {
    std::size_t arms;
    std::mt19937 random;
    std::map<std::tuple<unsigned, unsigned, std::size_t>, std::vector<Reading>> runs; // by race, rung and candidate

    Measure measure() {
        return [this](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            const double pace = 1 + 0.5 * std::sin(12.9 * turn.race + 78.2 * turn.rung);
            const double noise = std::exp(std::normal_distribution<double>(0, 0.3)(random));
            const bool reached = turn.doublings > 1 && random() % 4 > 0;
            runs[{turn.race, turn.rung, arm}].push_back(
                {.spent = weight(turn.doublings),
                 .cost = pace * noise * (1 + static_cast<double>((arm * 37) % 11)),
                 .measured = reached,
                 .needs = reached ? 1.0 : 4.0});
            return runs[{turn.race, turn.rung, arm}].back();
        };
    }

    /// {missed, median}: of a candidate's first runs in a rung.
    std::pair<bool, double> of(const Standing& each) const {
        std::vector<Reading> some = runs.at({each.race, each.rung, each.arm});
        some.resize(each.runs);
        const auto reached = static_cast<std::size_t>(std::ranges::count(some, true, &Reading::measured));
        std::ranges::sort(some, {}, &Reading::cost);
        return {2 * reached <= some.size(), some[some.size() / 2].cost};
    }
};

} // namespace

TEST_CASE("whoever wins is compared with the best yardstick of its own rung, on as many seeds, however many races") {
    std::size_t rivals = 0, later = 0;
    for (unsigned trial = 0; trial < 400; ++trial) {
        CAPTURE(trial);
        std::mt19937 random(trial);
        Shaken shaken{.arms = 2 + random() % 40, .random = random, .runs = {}};
        std::vector<std::size_t> yardsticks(shaken.arms, kNoYardstick);
        std::vector<bool> usual(shaken.arms);
        std::size_t own = 0;
        for (std::size_t arm = 0; arm < shaken.arms; ++arm) {
            if (arm == 0 || random() % 5 == 0) own = arm;
            yardsticks[arm] = own;
            usual[arm] = random() % 4 == 0;
        }
        Race race = halve(yardsticks, 5 + static_cast<double>(random() % 2000), kEightfold, shaken.measure());
        put_reached_first(race.order, usual);
        put_winner_first(race, yardsticks);
        const Standing& winner = race.order.front();
        const auto yardstick = compared(race, yardsticks, winner);
        REQUIRE(yardstick);
        CHECK(yardsticks[yardstick->arm] == yardstick->arm);
        CHECK(yardstick->race == winner.race);
        CHECK(yardstick->rung == winner.rung);
        CHECK(yardstick->runs == winner.runs);
        const bool is_rival = yardsticks[winner.arm] != winner.arm;
        if (!is_rival) CHECK(yardstick->arm == winner.arm);
        rivals += is_rival ? 1 : 0;
        later += winner.race > 0 ? 1 : 0;
        for (const auto& [turn, runs] : shaken.runs) {
            const auto& [in_race, in_rung, arm] = turn;
            if (in_race != winner.race || in_rung != winner.rung) continue;
            Standing other = *yardstick;
            other.arm = arm;
            if (is_rival && yardsticks[arm] == arm) CHECK(shaken.of(*yardstick) <= shaken.of(other));
            if (winner.measured) CHECK(shaken.of(winner) <= shaken.of(other));
        }
    }
    CHECK(rivals > 100);
    CHECK(later > 10);
}

TEST_CASE("of a rung that the budget cut off those runs count that everybody had, and a cost is that of one of them") {
    std::size_t cut_off = 0;
    for (unsigned budget = 3; budget < 60; ++budget) {
        Shaken shaken{.arms = 3, .random = std::mt19937(budget), .runs = {}};
        const Race race = halve({0, 0, 0}, budget, kEightfold, shaken.measure());
        for (const Rung& rung : race.rungs) {
            std::size_t all = rung.repeats;
            for (const Standing& each : rung.order)
                all = std::min(all, shaken.runs.at({each.race, each.rung, each.arm}).size());
            cut_off += !rung.order.empty() && all == 2 ? 1 : 0;
            for (const Standing& each : rung.order) {
                REQUIRE(each.runs == all);
                CHECK(shaken.of(each) == std::pair(!each.measured, each.cost));
            }
        }
    }
    CHECK(cut_off > 5);
}

TEST_CASE("a later race that somebody wins who does not stand leaves the winner beside the yardstick of its own") {
    // 1 gets there in 2 seconds, beside 0 in 3. In the second race a forecast loses 1, whoever wins takes 5, and 0 takes another time.
    for (const double again : {1.0, 2.5, 4.0}) {
        CAPTURE(again);
        const auto measure = [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            if (arm == 0) return Reading{1, turn.race == 0 ? 3.0 : again, turn.rung > 0, kFar};
            if (arm == 1) return Reading{1, 2.0, turn.rung > 0, kFar};
            if (arm == 2 || arm == 6) return Reading{1, 9, turn.rung > 0, kFar};
            const bool late = turn.race > 0;
            return Reading{1, !late ? 9.0 : turn.rung == 0 ? 0.1 : 5.0, late && turn.rung > 0, kFar};
        };
        Race race = halve(ten(), kTwoRaces, kEightfold, measure);
        REQUIRE(race.rungs.back().race == 1);
        put_winner_first(race, ten());
        REQUIRE(race.order.size() == 10);
        CHECK(race.order[0].arm == 1); // who beat 0 where both ran
        CHECK(race.order[0].race == 0);
        REQUIRE(race.order[1].arm == 0);
        CHECK(race.order[1].race == 1);
        const auto yardstick = compared(race, ten(), race.order[0]);
        REQUIRE(yardstick);
        CHECK(yardstick->arm == 0);
        CHECK(yardstick->race == 0);
        CHECK(yardstick->cost == 3);
        CHECK(shown(race, yardstick, 5)[1].cost == 3);
    }
}

TEST_CASE("of a rival and a yardstick of different rungs the rung in which both ran decides, and else their costs") {
    // A rival, 1, which stands at 2 beside the yardstick 0, and who is the yardstick that stands by a later race.
    const auto first = [](double beside, std::size_t stands, double later, bool was_there = false) {
        const Standing rival{.arm = 1, .cost = 2, .rung = 4, .runs = 3};
        const Standing yardstick{.arm = stands, .cost = later, .race = 1, .rung = 4, .runs = 3};
        Race race;
        race.rungs = {{.rung = 4, .order = {rival, {.arm = 0, .cost = beside, .rung = 4, .runs = 3}}},
                      {.race = 1, .rung = 4, .order = {yardstick}}};
        if (was_there) race.rungs[0].order.push_back({.arm = stands, .cost = 9, .rung = 4, .runs = 3});
        race.order = {rival, yardstick};
        if (later < rival.cost) std::swap(race.order[0], race.order[1]);
        put_winner_first(race, {0, 0, 2});
        return race.order[0].arm;
    };
    CHECK(first(3, 0, 4) == 1);
    CHECK(first(3, 0, 1) == 1); // its time of another race is none of that rung's
    CHECK(first(1, 0, 4) == 0); // whom it had lost to
    CHECK(first(3, 2, 4) == 1);
    CHECK(first(3, 2, 1) == 2);       // a better one, which the rival has not met
    CHECK(first(3, 2, 1, true) == 1); // whom it has met
    CHECK(first(1, 2, 4) == 0);
    CHECK(first(1.5, 2, 1) == 2);
}

TEST_CASE("a yardstick that reached the target is preferred, and a rung without any has none") {
    const Standing winner{.arm = 3, .cost = 1, .race = 2, .rung = 5, .runs = 3};
    Standing missed{.arm = 0, .cost = 2, .race = 2, .rung = 5, .measured = false, .runs = 3};
    const Standing reached{.arm = 1, .cost = 4, .race = 2, .rung = 5, .runs = 3};
    const Standing elsewhere{.arm = 1, .cost = 0.5, .race = 3, .rung = 5, .runs = 3};
    Race race;
    race.order = {winner, elsewhere};
    race.rungs = {{.race = 2, .rung = 5, .order = {winner, missed, reached}},
                  {.race = 3, .rung = 5, .order = {elsewhere}}};
    const std::vector<std::size_t> yardsticks{0, 1, 2, kNoYardstick};
    CHECK(compared(race, yardsticks, winner)->cost == 4);
    race.rungs[0].order = {winner, missed};
    CHECK(compared(race, yardsticks, winner)->arm == 0);
    race.rungs[0].order = {winner};
    CHECK_FALSE(compared(race, yardsticks, winner));
}

TEST_CASE("what is shown has the yardstick once, as it is compared with, also where others fill the table") {
    Race race;
    for (std::size_t arm = 0; arm < 8; ++arm) race.order.push_back({.arm = arm, .cost = 1, .race = 3});
    for (const std::size_t arm : {1u, 4u, 5u, 7u}) {
        const std::vector<Standing> rows = shown(race, Standing{.arm = arm, .cost = 7}, 5);
        CHECK(rows.size() == (arm < 5 ? 5 : 6));
        CHECK(std::ranges::count(rows, arm, &Standing::arm) == 1);
        CHECK(std::ranges::find(rows, arm, &Standing::arm)->cost == 7);
        CHECK(rows.front().arm == 0);
    }
    CHECK(shown(race, {}, 5).size() == 5);
}
