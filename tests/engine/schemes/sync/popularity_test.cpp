#include "engine/schemes/sync/popularity.h"

#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace hogwild;

namespace {

/// Every row names coordinate 0, and each further coordinate ever more seldom.
TestSamples skewed(std::uint32_t columns) {
    TestNumbers numbers(8);
    TestSamples samples;
    samples.columns = columns;
    for (int i = 0; i < 500; ++i) {
        std::vector<std::uint32_t> index;
        for (std::uint32_t j = 0; j < columns; ++j) {
            if (numbers.bits() % (j + 1) < 4) index.push_back(j);
        }
        samples.add(1.0f, index, std::vector<float>(index.size(), 1.0f));
    }
    return samples;
}

} // namespace

TEST_CASE("popularity bounds rise, cover every coordinate, and part whole lines") {
    for (const std::uint32_t columns : {1u, 15u, 16u, 17u, 100u, 320u}) {
        const TestSamples samples = skewed(columns);
        for (const unsigned parts : {1u, 2u, 3u, 8u, 50u}) { // 50: more parts than lines
            const std::vector<std::uint32_t> bounds = popularity_bounds(samples.view(), parts);
            REQUIRE(bounds.size() == parts + 1);
            CHECK(bounds.front() == 0);
            CHECK(bounds.back() == columns);
            CHECK(std::ranges::is_sorted(bounds));
            CHECK(std::ranges::all_of(bounds, [&](std::uint32_t b) { return b % 16 == 0 || b == columns; }));
        }
    }
}

TEST_CASE("a bound lies where the nonzeros before it come nearest to its share") {
    const TestSamples samples = skewed(320);
    std::vector<double> before(21); // nonzeros before each line
    for (const std::uint32_t j : samples.indices) before[j / 16 + 1] += 1;
    for (std::size_t line = 0; line < 20; ++line) before[line + 1] += before[line];
    for (const unsigned parts : {2u, 3u, 5u, 8u, 50u}) {
        const std::vector<std::uint32_t> bounds = popularity_bounds(samples.view(), parts);
        for (unsigned p = 1; p < parts; ++p) {
            const double share = before[20] * p / parts;
            double nearest = share;
            for (const double count : before) nearest = std::min(nearest, std::abs(count - share));
            CHECK(std::abs(before[bounds[p] / 16] - share) <= nearest + 1); // shares are rounded to whole nonzeros
        }
    }
}

TEST_CASE("data without nonzeros have bounds, too") {
    TestSamples samples;
    samples.columns = 100;
    samples.add(1.0f, {}, {});
    const std::vector<std::uint32_t> bounds = popularity_bounds(samples.view(), 3);
    CHECK(bounds.size() == 4);
    CHECK(bounds.front() == 0);
    CHECK(bounds.back() == 100);
    CHECK(std::ranges::is_sorted(bounds));
}
