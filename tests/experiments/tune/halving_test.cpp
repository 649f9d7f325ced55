#include "experiments/tune/halving.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace hogwild;

namespace {

double weight(unsigned doublings) { return std::ldexp(1.0, static_cast<int>(doublings)); }

const Lengths kLengths{4, weight};

/// Candidate i costs 1 + i, times noise; a run of d doublings takes 2^d seconds, and gets there with `enough` of them.
struct Simulated {
    double noise = 0;
    unsigned enough = 4;
    std::mt19937 random{7};
    std::map<std::pair<unsigned, unsigned>, std::map<std::size_t, int>> runs; // by rung and seed
    unsigned races = 0, most = 0;                                             // races; doublings
    double spent = 0, longest = 0;

    Measure measure() {
        return [this](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            ++runs[{turn.rung, turn.seed}][arm];
            races = std::max(races, turn.race + 1);
            most = std::max(most, turn.doublings);
            const double seconds = weight(turn.doublings);
            spent += seconds;
            longest = std::max(longest, seconds);
            std::normal_distribution<double> normal(0, noise);
            return Reading{seconds, (1.0 + static_cast<double>((arm * 37) % 101)) * std::exp(normal(random)),
                           turn.doublings >= enough, weight(enough) / weight(turn.doublings)};
        };
    }
};

constexpr std::size_t kBest = 0; // (arm * 37) % 101 == 0

std::vector<std::size_t> rivals(std::size_t count) { return std::vector<std::size_t>(count, kNoYardstick); }

} // namespace

TEST_CASE("the best candidate is found when runs say it without noise, and with a little of it it or its like") {
    for (const std::size_t count : {1u, 2u, 3u, 5u, 64u, 100u}) {
        CAPTURE(count);
        Simulated exact;
        const Race race = halve(rivals(count), 1e6, kLengths, exact.measure());
        REQUIRE(!race.order.empty());
        CHECK(race.order.front().arm == kBest);
        CHECK(race.order.size() == count);
        CHECK(race.left_out == 0);
        Simulated noisy;
        noisy.noise = 0.1;
        const Race shaken = halve(rivals(count), 1e6, kLengths, noisy.measure());
        CHECK((shaken.order.front().arm * 37) % 101 <= 1);
    }
}

TEST_CASE("a budget is never exceeded by more than one run") {
    for (const double budget : {0.5, 1.0, 3.0, 10.0, 77.0, 200.0, 500.0}) {
        CAPTURE(budget);
        Simulated runs;
        const Race race = halve(rivals(100), budget, kLengths, runs.measure());
        CHECK(runs.spent == race.spent);
        CHECK(runs.spent < budget + runs.longest);
        CHECK(!race.order.empty());
        CHECK(race.order.size() + race.left_out == 100);
    }
}

TEST_CASE("within a rung all candidates have as many runs, with the same seeds") {
    Simulated runs;
    const Race race = halve(rivals(100), 1e6, kLengths, runs.measure());
    std::map<unsigned, std::set<std::size_t>> arms;
    for (const auto& [key, counts] : runs.runs) {
        std::set<std::size_t> here;
        for (const auto& [arm, count] : counts) {
            CHECK(count == 1);
            here.insert(arm);
        }
        const auto [known, fresh] = arms.emplace(key.first, here);
        CHECK(known->second == here); // at every seed
    }
    REQUIRE(arms.size() == race.rungs.size());
    for (unsigned rung = 0; rung < race.rungs.size(); ++rung) {
        CHECK(race.rungs[rung].whole);
        CHECK(race.rungs[rung].arms == arms[rung].size());
        const std::size_t left = arms[rung].size();
        CHECK(race.rungs[rung].repeats == (left > 1 && left <= kFew ? kRepeats : 1)); // at the end one
        if (rung > 0) CHECK(arms[rung].size() == (arms[rung - 1].size() + 1) / 2);
    }
    CHECK(arms.rbegin()->second.size() == 1);
}

TEST_CASE(
    "runs are as long as the target wants: no longer once all that are left got there, longer while one did not") {
    for (const unsigned enough : {0u, 1u, 2u, 4u}) {
        for (const std::size_t count : {1u, 2u, 5u, 64u}) {
            CAPTURE(enough);
            CAPTURE(count);
            Simulated runs;
            runs.enough = enough;
            const Race race = halve(rivals(count), 1e6, kLengths, runs.measure());
            CHECK(runs.most == enough);
            CHECK(race.order.front().measured);
            CHECK(race.order.front().doublings == enough);
            for (std::size_t i = 1; i < race.rungs.size(); ++i) {
                CHECK(race.rungs[i].doublings <= race.rungs[i - 1].doublings + 1);
                CHECK(race.rungs[i].doublings >= race.rungs[i - 1].doublings);
            }
        }
    }
    Simulated never;
    never.enough = 5;
    CHECK_FALSE(halve(rivals(2), 1e6, kLengths, never.measure()).order.front().measured);
    CHECK(never.most == kLengths.most); // and it ends
}

TEST_CASE("the sooner forecasts say that the target is there, the more candidates begin") {
    std::size_t before = 1000;
    for (const unsigned enough : {0u, 1u, 2u, 3u}) {
        Simulated runs;
        runs.enough = enough;
        const Race race = halve(rivals(1000), 300, kLengths, runs.measure());
        CHECK(race.rungs.front().whole);
        CHECK(race.rungs.front().arms < before);
        before = race.rungs.front().arms;
    }
    CHECK(before > 20);
}

TEST_CASE("where the target is further away than forecasts said, fewer go on, so that the race comes to its end") {
    for (const double budget : {200.0, 400.0, 1000.0}) {
        CAPTURE(budget);
        const auto measure = [](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            const double needs = turn.doublings == 0 ? 1 : weight(kLengths.most - turn.doublings);
            return Reading{weight(turn.doublings), 1 + static_cast<double>(arm), turn.doublings == kLengths.most,
                           needs};
        };
        const Race race = halve(rivals(1000), budget, kLengths, measure);
        CHECK(race.order.front().arm == kBest);
        CHECK(race.order.front().measured);
        CHECK(race.rungs.front().arms > 2 * race.rungs[2].arms * 2); // not by halves
    }
}

TEST_CASE("a last rung of longer runs that the budget cuts off leaves the one before it standing") {
    Simulated runs;
    const Race race =
        halve({0, 0}, 20, kLengths, runs.measure()); // a yardstick and a rival: 2 x (3 x 1 + 2 + 4), then 8
    REQUIRE(!race.rungs.back().whole);
    CHECK(race.rungs.back().doublings == 3);
    REQUIRE(race.order.size() == 2);
    CHECK(race.order.front().arm == kBest);
    CHECK(race.order.front().doublings == 2);
    CHECK(race.order.front().rung == race.rungs.back().rung - 1);
}

TEST_CASE("as many candidates begin as the budget can halve") {
    Simulated runs;
    const Race race = halve(rivals(1000), 300, kLengths, runs.measure());
    CHECK(race.left_out > 0);
    CHECK(race.rungs.back().whole);
    CHECK(race.rungs.back().arms == 1); // it came to its end
    CHECK(race.spent > 200);
}

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

/// Longer runs are an eighth as long as expected or less. So six of ten candidates race first, and those that are left
// race against whoever won.
constexpr double kSixAtOnce = 430, kSixWithYardsticks = 250;
constexpr double kFar = 16; // times as long a run, which has all doublings
const Lengths kEightfold{4, [](unsigned doublings) { return doublings == 0 ? 1 : 8 * weight(doublings); }};

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

TEST_CASE("what gets nowhere loses, what is cut off counts nothing, and an interrupt ends it with what is known") {
    const Race none = halve(rivals(3), 100, kLengths, [](std::size_t arm, const Turn&) -> std::optional<Reading> {
        return Reading{1, arm == 2 ? 5.0 : INFINITY};
    });
    CHECK(none.order.front().arm == 2);
    std::size_t calls = 0;
    const Race stopped =
        halve(rivals(8), 1e6, kLengths, [&](std::size_t arm, const Turn& turn) -> std::optional<Reading> {
            if (++calls > 10) return {}; // in the second rung, after two
            return Reading{1, turn.rung == 0 ? static_cast<double>(arm) : 100};
        });
    CHECK(stopped.stopped);
    CHECK(stopped.order.front().arm == 0);
    CHECK(stopped.order.front().rung == 0);
    CHECK_FALSE(stopped.rungs.back().whole);
    CHECK(halve(rivals(0), 10, kLengths, [](std::size_t, const Turn&) -> std::optional<Reading> {
              return {};
          }).order.empty());
}
