#include "kernels/steps/thinned.h"

#include "kernels/lanes/scalar.h"
#include "kernels/problems/hinge.h"
#include "kernels/updates/racy.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace hogwild;

namespace {

/// A row of `size` ones in columns 0, 2, 4, ...
struct EvenRow {
    explicit EvenRow(std::uint32_t size) : index(size), value(size, 1.0f) {
        for (std::uint32_t k = 0; k < size; ++k) index[k] = 2 * k;
    }
    SparseRow row() const { return {index.data(), value.data(), static_cast<std::uint32_t>(index.size()), 1.0f}; }

    std::vector<std::uint32_t> index;
    std::vector<float> value;
};

std::vector<float> thinned_row(const EvenRow& of, const Thinning& thinning, std::uint64_t seed, std::uint32_t sample,
                               float scale = 1.0f) {
    std::vector<float> weights(2 * of.index.size());
    const Racy racy;
    Thinned<Racy>(racy, thinning, Coins(thinning.period, seed, 3, sample))
        .add_row<ScalarLanes>(weights.data(), of.row(), scale);
    return weights;
}

} // namespace

TEST_CASE("coins of four lines are one draw's words, and say yes to one in k of them") {
    for (const std::uint32_t period : {1u, 2u, 3u, 7u, 1u << 16}) {
        Coins coins(period, 42, 3, 9);
        for (const std::uint32_t line : {0u, 1u, 2u, 3u, 4u, 9u, 1'000'003u}) {
            const std::uint32_t word = philox({line / 4, 9, 3, 0x7417}, philox_key(42))[line % 4];
            CHECK(coins.says(line) == (word < std::ceil(std::ldexp(1.0, 32) / period)));
        }
    }
}

TEST_CASE("an increment of a hot line is written k times as large or not at all, others as they are") {
    const EvenRow of(64); // 128 columns, eight lines
    const Thinning thinning{64, 4};
    unsigned written = 0;
    for (std::uint32_t sample = 0; sample < 100; ++sample) {
        const std::vector<float> weights = thinned_row(of, thinning, 7, sample, 0.5f);
        for (std::uint32_t j = 0; j < 128; ++j) {
            if (j % 2 == 1)
                CHECK(weights[j] == 0.0f);
            else if (j >= 64)
                CHECK(weights[j] == 0.5f);
            else
                CHECK(weights[j] == weights[j / 16 * 16]);
        }
        Coins coins(4, 7, 3, sample);
        for (std::uint32_t j = 0; j < 64; j += 16) {
            CHECK((weights[j] != 0.0f) == coins.says(j / 16));
            CHECK((weights[j] == 0.0f || weights[j] == 2.0f));
            written += weights[j] != 0;
        }
    }
    CHECK(written > 0);
    CHECK(written < 400);
}

TEST_CASE("thinned increments are on average what they were") {
    // With n independent coins of chance 1 / k, the sum of k's deviates from n by sqrt(n (k - 1)), the standard
    // deviation. One fixed set of coins in some millions passes five of them.
    constexpr std::uint32_t kSamples = 20'000;
    const EvenRow of(32); // four hot lines
    for (const std::uint32_t period : {2u, 3u, 16u}) {
        for (const std::uint64_t seed : {1u, 2u}) {
            std::vector<double> sums(64);
            for (std::uint32_t sample = 0; sample < kSamples; ++sample) {
                const std::vector<float> weights = thinned_row(of, {64, period}, seed, sample);
                for (std::uint32_t j = 0; j < 64; ++j) sums[j] += weights[j];
            }
            for (std::uint32_t j = 0; j < 64; j += 16)
                CHECK(std::abs(sums[j] - kSamples) < 5 * std::sqrt(kSamples * (period - 1.0)));
        }
    }
}

TEST_CASE("one in one is every increment, bit for bit") {
    const EvenRow of(50);
    for (const std::uint32_t hot : {0u, 16u, 48u, 112u}) {
        std::vector<float> plain(100);
        Racy().add_row<ScalarLanes>(plain.data(), of.row(), 0.3f);
        CHECK(thinned_row(of, {hot, 1}, 1, 1, 0.3f) == plain);
    }
}
