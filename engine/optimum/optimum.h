// The certified optimum of F(w) = (1/n) sum_i value(w . x_i, y_i) + (lambda / 2) |w|^2, in double.
//
// Smooth problems: Newton's method with preconditioned conjugate gradients (engine/optimum/newton.h); strong convexity
// certifies F(w) - F* <= |grad F(w)|^2 / (2 lambda). The hinge: dual coordinate descent
// (engine/optimum/dual_descent.h); weak duality certifies F(w) - F* <= F(w) - D(alpha). Both hold for exact arithmetic;
// rounding of F itself (relative 1e-13 or so) comes on top.
//
// lambda = 0: F need not have a minimiser and nothing certifies one, so `lower` and `gap` are kNone. The smooth solver
// still returns the best value it found. The hinge throws.
//
// Same bits at any thread count. Thread-safety: any number of calls at once. Memory: one more copy of the nonzeros.
// Errors: throws Error for an unknown problem, no samples, a lambda that is negative or not finite, and the hinge at
// lambda = 0.
#pragma once

#include "engine/none.h"
#include "kernels/views/any_view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hogwild {

/// When to stop: whichever comes first. Where the seconds decide, the bits depend on the machine.
struct OptimumOptions {
    double relative_gap = 1e-9; // gap <= relative_gap x (F(0) - F(w)), or lost in F's own rounding
    std::uint64_t max_passes = 1'000'000;
    double max_seconds = 600;

    /// The gap that counts as converged for these values of F(0) and F(w).
    double wanted_gap(double initial, double value) const {
        return std::max(relative_gap * (initial - value), 1e-14 * std::abs(initial));
    }
};

struct Optimum {
    double initial = kNone;      // F(0), the loss every run starts from
    double value = kNone;        // F(weights) >= F*
    double lower = kNone;        // certified: lower <= F*
    double gap = kNone;          // value - lower
    bool converged = false;      // the gap asked for was certified
    std::uint64_t passes = 0;    // traversals of the nonzeros
    double seconds = 0;          // wall time of the solver
    std::vector<double> weights; // where value was taken
};

Optimum solve(std::string_view problem, const SparseView& data, double l2, const OptimumOptions& options = {});

/// F(w) - F* is at most this, where F has lambda1 |w|_1 besides: with v the gradient of the mean loss, by weak duality
///
///   sum_j r(w_j) + w_j v_j + r*(-v_j),   r(w) = (lambda / 2) w^2 + lambda1 |w|,   r*(v) = max(|v| - lambda1, 0)^2 / (2 lambda)
///
/// a sum of terms that are never negative. Without L1 it is |grad F(w)|^2 / (2 lambda). kNone for a problem that is not smooth and
/// for lambda = 0. Costs what a pass of training costs, so a run asks for it at its final weights only.
double gradient_bound(std::string_view problem, const SparseView& data, double l2, std::span<const double> weights,
                      double l1 = 0);

/// F(w) - F* is at most this: F(w) - lower where a certified lower bound is known, else kNone. Costs nothing: it is
/// what fills every row of trace.csv. Never negative: a lower bound above F(w) by rounding gives 0.
double optimality_bound(double objective, double lower);

/// The tighter of the two bounds above, kNone when there is neither: for a run's final weights.
double optimality_bound(std::string_view problem, const SparseView& data, double l2, std::span<const double> weights,
                        double objective, double lower, double l1 = 0);

} // namespace hogwild
