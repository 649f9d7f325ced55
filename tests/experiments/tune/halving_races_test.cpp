// Laws of races that follow each other, and of who stands first after them.
#include "experiments/tune/halving.h"

#include "tests/experiments/tune/simulated_runs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

using namespace hogwild;

namespace {

/// Longer runs are an eighth as long as expected or less. So six of ten candidates race first, and those that are left
// race against whoever won.
constexpr double kSixAtOnce = 430, kSixWithYardsticks = 250;
constexpr double kFar = 16; // times as long a run, which has all doublings
const Lengths kEightfold{4, [](unsigned doublings) { return doublings == 0 ? 1 : 8 * weight(doublings); }};

} // namespace

TEST_CASE("where runs are cheaper than expected, the winner races again against those that were left out") {
    const Lengths too_much{4, [](unsigned doublings) { return doublings == 0 ? 1 : 4 * weight(doublings); }};
    Simulated runs;
    const Race race = halve(rivals(101), 700, too_much, runs.measure());
    CHECK(runs.races > 1);
    CHECK(race.order.front().cost == 1); // of all that began the best
    CHECK(race.spent > 350);
    for (const auto& [key, counts] : runs.runs) {
        for (const auto& [arm, count] : counts) CHECK(count == 1); // every seed once, in all races
    }
}

TEST_CASE("a budget is spent where candidates are left, however much more than others the first runs cost") {
    const auto spent = [](double budget, double cold, unsigned colds) { // of one budget, as a share
        unsigned calls = 0;
        const auto measure = [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            return Reading{(calls++ < colds ? cold : 1) * weight(turn.doublings), 1 + static_cast<double>(arm % 101),
                           turn.doublings == kLengths.most, weight(kLengths.most - turn.doublings)};
        };
        const Race race = halve(rivals(10'000), budget, kLengths, measure);
        CHECK(race.left_out > 0);
        return race.spent / budget;
    };
    for (const double budget : {400.0, 1000.0, 3000.0}) {
        for (const double cold : {1.0, 5.0, 30.0}) {
            for (const unsigned colds : {1u, 2u, 4u}) {
                CAPTURE(budget);
                CAPTURE(cold);
                CAPTURE(colds);
                CHECK(spent(budget, cold, colds) > 0.8);
            }
        }
    }
}

TEST_CASE("who was measured in one race is not replaced by whom the next one takes for better by a forecast") {
    // 0 and 1, a yardstick and a rival, get there in 3 and 2 seconds in every rung but the first; nobody else does. In the second race
    // the first rung forecasts less of the others, which loses 0 and 1.
    std::vector<std::size_t> yardsticks = rivals(10);
    for (const std::size_t arm : {0u, 2u, 6u}) yardsticks[arm] = arm;
    for (const double other : {0.5, 4.0}) { // what is forecast of those that take their places
        CAPTURE(other);
        unsigned races = 0;
        const auto measure = [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            races = std::max(races, turn.race + 1);
            if (arm <= 1) return Reading{1, arm == 0 ? 3.0 : 2.0, turn.rung > 0, kFar};
            return Reading{1, turn.race == 0 ? 9 : turn.rung == 0 ? 0.1 : other, false, kFar};
        };
        const Race race = halve(yardsticks, kSixWithYardsticks, kEightfold, measure);
        REQUIRE(races == 2);
        REQUIRE(race.order.size() == 10);
        CHECK(race.order[0].arm == 1);
        CHECK(race.order[0].measured);
        CHECK(race.order[0].cost == 2);
        CHECK(race.order[1].arm == 0);
        CHECK(race.order[1].cost == 3);
        CHECK(race.order[1].race == 0);
    }
}

TEST_CASE("of two that were measured in races of their own the one that costs less stands") {
    for (const double later : {1.0, 5.0}) {
        CAPTURE(later);
        unsigned races = 0;
        const auto measure = [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            races = std::max(races, turn.race + 1);
            if (arm == 0) return Reading{1, 3, turn.rung > 0, kFar};
            return Reading{1, turn.race == 0 ? 9 : turn.rung == 0 ? 0.1 : later, turn.race > 0 && turn.rung > 0, kFar};
        };
        const Race race = halve(rivals(10), kSixAtOnce, kEightfold, measure);
        REQUIRE(races == 2);
        CHECK((race.order[0].arm == 0) == (later > 3));
        CHECK(race.order[0].cost == std::min(later, 3.0));
    }
}

TEST_CASE("who reached the target is taken before whoever did not, and where nobody did a usual one is") {
    std::mt19937 random{3};
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<bool> usual(8);
        std::vector<Standing> order(8);
        const unsigned reach = random() % 3; // none, some or all
        for (std::size_t i = 0; i < order.size(); ++i) {
            usual[i] = random() % 3 == 0;
            order[i] = {.arm = i, .measured = reach == 2 || (reach == 1 && random() % 2 == 0)};
        }
        std::ranges::shuffle(order, random);
        const std::vector<Standing> before = order;
        put_reached_first(order, usual);
        const auto is_usual = [&](const Standing& each) { return usual[each.arm] == true; };
        const auto first = [&](const auto& wanted) { return std::ranges::find_if(before, wanted); };
        const auto reached = first(&Standing::measured), known = first(is_usual);
        CHECK(order[0].arm == (reached != before.end() ? *reached : known != before.end() ? *known : before[0]).arm);
        CHECK(std::ranges::is_permutation(order, before, {}, &Standing::arm, &Standing::arm));
    }
}

TEST_CASE("who reached the target is not lost to forecasts that nothing came of, nor to a default that missed") {
    // 0 gets there at once; all others are forecast to be faster, and no run of theirs ever is.
    for (const double budget : {9.0, 20.0, 1e6}) {
        CAPTURE(budget);
        const auto measure = [](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            if (arm == 0) return Reading{weight(turn.doublings), 5, true};
            return Reading{weight(turn.doublings), turn.rung == 0 ? 1.0 : 1e6, false};
        };
        Race race = halve(rivals(8), budget, kLengths, measure);
        put_reached_first(race.order, {false, true, false, false, false, false, false, false});
        CHECK(race.order[0].arm == 0);
    }
}
