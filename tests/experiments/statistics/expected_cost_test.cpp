#include "experiments/statistics/expected_cost.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace hogwild {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

TEST_CASE("the expected time is the time of all runs over those that got there") {
    const std::vector<Trial> all{{2, 1, 1}, {4, 1, 1}, {6, 1, 1}};
    CHECK(expected_cost(all) == 4);
    const std::vector<Trial> some{{2, 1, 1}, {4, 1, 1}, {10, 0, 1}, {8, 0, 0}}; // 24 s for two
    CHECK(expected_cost(some) == 12);
    CHECK(successes(some) == 2);
    CHECK(cost_range(some).low == 12);
}

TEST_CASE("without a success the cost lies between the most that a stopped run allows and forever") {
    const std::vector<Trial> stopped{{10, 0, 1}, {20, 0, 1}};
    CHECK(cost_range(stopped).low == 15); // both would have got there the moment they were stopped
    CHECK(expected_cost(stopped) == kForever);
    const std::vector<Trial> one_diverged{{10, 0, 1}, {2, 0, 0}};
    CHECK(cost_range(one_diverged).low == 12);
    const std::vector<Trial> all_diverged{{1, 0, 0}, {2, 0, 0}};
    CHECK(cost_range(all_diverged).low == kForever);
}

TEST_CASE("the median counts a censored run as one that takes forever") {
    CHECK(median_cost(std::vector<Trial>{{3, 1, 1}, {1, 0, 0}, {2, 1, 1}}) == 3);
    CHECK(median_cost(std::vector<Trial>{{3, 1, 1}, {1, 0, 1}, {2, 0, 1}}) == kForever);
}

TEST_CASE("of a rate the expected cost is all seconds over all that was consumed") {
    CHECK(expected_cost(std::vector<Trial>{{1, 100, 100}, {3, 100, 100}}) == 0.02);
}

} // namespace
} // namespace hogwild
