// What success costs, with the runs that had none.
//
//   expected cost = sum of what all runs spent / sum of what they gained
//
// For a time to target a run gains 1 when it gets there and spends the time until then. One that missed it gains
// nothing and spends all its time. That is the expected running time (ERT): what reaching the target takes on average
// when a run without success is followed by another. For a rate a run gains its updates.
//
// Source: Hansen, Auger, Finck, Ros, "Real-parameter black-box optimization benchmarking", INRIA RR-7215, 2010, 2.2.3.
// Thread-safe: plain values and pure functions.
#pragma once

#include <span>
#include <vector>

namespace hogwild {

struct Trial {
    double spent = 0;
    double gained = 0;     // 0: censored
    double might_gain = 0; // had it gone on; of a censored run that cannot succeed any more 0
};

/// The range in which the expected cost lies. Both ends are equal as soon as one run succeeded. Without a success the
/// low end supposes that every run that might have succeeded did so the moment it was stopped. The high end is then
/// infinite.
struct CostRange {
    double low, high;
};

CostRange cost_range(double spent, double gained, double might_gain);
CostRange cost_range(std::span<const Trial> trials);

/// Infinite without a success.
double expected_cost(std::span<const Trial> trials);

/// The median of spent / gained over the runs; a censored one costs infinitely much.
double median_cost(std::span<const Trial> trials);

std::size_t successes(std::span<const Trial> trials);

} // namespace hogwild
