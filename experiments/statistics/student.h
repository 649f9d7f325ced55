// Quantiles of Student's t and tails of the normal distribution, in double.
//
// Source: Abramowitz and Stegun 26.7.3 and 26.7.4 (the t distribution for whole degrees of freedom).
// Thread-safe: pure functions.
#pragma once

namespace hogwild {

/// P(|t| <= x) for t with so many degrees of freedom, 1 or more.
double student_within(double x, unsigned degrees);

/// The x with P(|t| <= x) = share, 0 < share < 1, to 1e-12 of itself.
double student_quantile(double share, unsigned degrees);

/// P(z < x) of the standard normal distribution.
double normal_below(double x);

} // namespace hogwild
