#include "engine/schemes/popularity.h"

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

TEST_CASE("each owner has its share of the nonzeros, to within one line's") {
    const TestSamples samples = skewed(320);
    std::vector<std::uint64_t> counts(320), lines(20);
    for (const std::uint32_t j : samples.indices) {
        ++counts[j];
        ++lines[j / 16];
    }
    const auto total = static_cast<double>(samples.indices.size());
    const auto line = static_cast<double>(*std::ranges::max_element(lines));
    for (const unsigned parts : {2u, 3u, 5u, 8u}) {
        const std::vector<std::uint32_t> bounds = popularity_bounds(samples.view(), parts);
        for (unsigned p = 0; p < parts; ++p) {
            double part = 0;
            for (std::uint32_t j = bounds[p]; j < bounds[p + 1]; ++j) part += static_cast<double>(counts[j]);
            // Each bound lies at most half a line from where its share ends; whole numbers add one.
            CHECK(std::abs(part - total / parts) <= line + 1);
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
