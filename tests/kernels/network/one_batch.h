// One synchronous step by a CPU thread (kernels/steps/batch.h), and how far another computation of it may be off that rounds differently.
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/patterns/edge_ends.h"
#include "kernels/patterns/factor_pairs.h"
#include "kernels/patterns/token_windows.h"
#include "kernels/steps/batch.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace hogwild {

/// Which samples a batch has, in which epoch of a run from which seed.
struct OneBatch {
    std::vector<std::uint32_t> numbers;
    std::uint32_t epoch = 0;
    std::uint64_t seed = 0;

    std::uint32_t size() const { return static_cast<std::uint32_t>(numbers.size()); }
};

/// The weights after the batch.
template <class Problem>
std::vector<float> by_thread(const typename Problem::Pattern::View& data, const OneBatch& batch,
                             std::vector<float> weights, float factor) {
    using Pattern = typename Problem::Pattern;
    std::vector<float> emitted(std::size_t{batch.size()} * Pattern::emission(data));
    const std::uint32_t bounds[] = {0, data.groups()};
    Pattern::template emit<Problem, ScalarLanes>(data, {batch.numbers.data(), batch.size(), weights.data(), 1,
                                                        emitted.data(), 1, bounds, nullptr, batch.epoch, batch.seed});
    Pattern::template apply<ScalarLanes>(
        data, {batch.numbers.data(), batch.size(), weights.data(), factor, emitted.data(), 1, 0, bounds, nullptr});
    return weights;
}

/// The rounding of a step's sums, where a thread adds increment by increment. The other rounds terms to multiples of
// 2^-40 and sums these.
struct BatchRounding {
    double most;       // no weight is larger on its way
    double term;       // by how many units of 2^-24 the two differ in a term
    double spread = 1; // what a projection makes of what a row's numbers are off
};

/// The two step on weights within +-1 / sqrt(rank), biases within that, ratings within 2 of the mean. A product of
/// `rank` factors, whose magnitudes add up to 1, rounds by at most rank units each way. A slope is at most 8.
inline BatchRounding rounding_of(const RatingsView& data) { return {9, 2.0 * data.model.rank + 40}; }

/// A term is half a weight, of 9 at most over a mean of about 5, with the same bits on both sides.
inline BatchRounding rounding_of(const EdgesView& data) {
    return {30, 0, data.classes == 2 ? 1 : 2 * std::sqrt(static_cast<double>(data.classes))};
}

/// On floats within +-1 / sqrt(dim), products are at most 1 and round by at most dim units each way. A slope rounds by
/// eight more for its exponential. A term is a sum of slopes over outputs or contexts.
inline BatchRounding rounding_of(const TokensView& data) {
    const double terms = std::max(1 + data.model.negatives, 2 * data.model.window);
    return {40, terms * (2 * data.model.dim + 20 + terms)};
}

/// The two agree, coordinate by coordinate. A thread rounds a weight once for each of n increments. The other rounds
/// its integers by half a unit each, then the sum, its multiple and the weight.
template <class View>
void check_one_batch(const View& data, const OneBatch& batch, float factor, const std::vector<float>& before,
                     const std::vector<float>& found, const std::vector<float>& expected) {
    constexpr double kUnit = 0x1p-24;
    const BatchRounding rounding = rounding_of(data);
    std::vector<double> counts(data.coordinates());
    for (const std::uint32_t number : batch.numbers)
        data.drawn(number, batch.seed, batch.epoch).for_each_coordinate([&](std::uint32_t j) { counts[j] += 1; });
    const double busiest = *std::ranges::max_element(counts);
    std::uint32_t off = 0, moved = 0;
    for (std::size_t j = 0; j < found.size(); ++j) {
        const double n = rounding.spread > 1 ? busiest : counts[j];
        const double bound =
            rounding.spread * kUnit * ((n + 3) * rounding.most + std::abs(double{factor}) * n * (rounding.term + 1));
        off += std::abs(double{found[j]} - double{expected[j]}) <= (counts[j] == 0 ? 0 : bound) ? 0 : 1;
        moved += found[j] != before[j] ? 1 : 0;
    }
    CHECK(off == 0);
    CHECK(moved > 0);
}

} // namespace hogwild
