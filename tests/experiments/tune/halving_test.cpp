// Laws of halving: rungs, the budget, how long runs are, and where it stops.
#include "experiments/tune/halving.h"

#include "tests/experiments/tune/simulated_runs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

using namespace hogwild;

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
