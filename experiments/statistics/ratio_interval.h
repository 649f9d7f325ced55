// How surely one method costs less than another: the ratio of their expected costs, with an interval.
//
//   ratio = expected cost of B / expected cost of A          (expected_cost.h), from n runs of each, paired by seed
//
// The interval holds the true ratio in about 95 of 100 measurements. It is the wider, on either side, of two:
//   - the paired bootstrap. Pairs are drawn n at a time with replacement, and each of 10,000 draws gives a ratio. The
//     ends are the ratios at the levels Phi(-sqrt(n / (n - 1)) t) and one minus it. t is the 0.975 quantile of Student
//     with n - 1 degrees. The level is 2.5 % widened by what plain percentiles lack at small n (Hesterberg 2015). A
//     draw without a success of B counts by the low end of B's cost range below and as infinite above. One without a
//     success of A counts as infinite below and by the low end of A's range above. So a run that missed widens the
//     interval, and it is never dropped.
//   - ratio x exp(+-t s), s the standard error of log(ratio) by linearisation. Draws from n pairs never leave the range
//     of the pairs. That range misses the middle of a symmetric distribution in 2 of 2^n measurements: 25 % at three.
//
// Random numbers are counter-based with a fixed key: the same pairs in the same order give the same bits. Swapping A and
// B swaps the ends' reciprocals. Thread-safe: pure functions.
//
// Source: Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69 (2015), 4.3.
#pragma once

#include "experiments/statistics/expected_cost.h"

#include <span>

namespace hogwild {

struct TrialPair {
    Trial a, b;
};

struct RatioInterval {
    double ratio; // NaN where neither succeeded; 0 or infinite where one of them did not
    double low, high;
};

/// Fewer pairs tell nothing about their own spread: the interval is then 0 to infinity.
inline constexpr std::size_t kFewestPairs = 3;

RatioInterval ratio_interval(std::span<const TrialPair> pairs);

} // namespace hogwild
