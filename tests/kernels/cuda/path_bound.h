// How far apart two computations of one serial path can be that round differently: a warp's and a CPU thread's.
//
// Smooth problems. A step w <- (1 - step lambda) w - step slope(w.x) x brings two sets of weights no further apart
// where step (curvature |x|^2 + lambda) <= 2. So the distance is at most a sum of what each step rounds, with u =
// 2^-24:
//   through the margin   curvature step |x| sqrt(nonzeros + 4) u sum |w_j x_j|, for sums in any order
//   the increments       12 u step |slope| |x|: eight for logistic's exponential, then factor, slope, product, scale
//   the weights          sqrt(roundings) u |w on the row|: one for each increment, more where copies are exchanged
// Roundings are as good as independent and of mean zero: six times the root of the sum of squares is passed with probability
// 2 exp(-18). Both computations round: twice the squares.
// The hinge without lambda. Its increments have the same bits on both sides, so the distance is zero, unless the rounding of a
// margin crosses the kink.
// Source: Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019; Pinelis 1994.
#pragma once

#include "engine/order/order.h"
#include "engine/order/timeline.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace hogwild {

/// Bounds |w_a - w_b|_2 after the plan's epochs; infinite where a step is too long for it, or a margin too near to a kink.
template <LinearProblem Problem>
double path_bound(const SparseView& data, const Plan& plan, double roundings = 1) {
    constexpr double kUnit = 0x1p-24, kSure = 6, kUnbounded = std::numeric_limits<double>::infinity();
    const auto rows = static_cast<std::uint32_t>(data.rows);
    Timeline timeline(plan, rows);
    OrderCursor cursor(plan.order, data, plan.seed);
    std::vector<double> weights(data.columns);
    std::vector<std::uint32_t> order(rows);
    double squared = 0; // sum of squares of what is rounded, in units
    for (std::uint64_t t = 0; t < std::uint64_t{rows} * plan.epochs; ++t) {
        const auto epoch = static_cast<std::uint32_t>(t / rows);
        if (t % rows == 0) {
            timeline.prepare(epoch, Schedule(plan.step, plan.epochs));
            fill(cursor, epoch, 0, rows, order.data());
        }
        const SparseRow row = data.row(order[t % rows]);
        const double step = timeline.pace_after(t).step;
        double margin = 0, terms = 0, norm = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) {
            const double x = row.value[k], term = weights[row.index[k]] * x;
            margin += term, terms += std::abs(term), norm += x * x;
        }
        if (step * (Problem::curvature * norm + plan.l2) > 2) return kUnbounded;
        const double label = row.label, slope = Problem::slope(margin, label), length = step * std::sqrt(norm);
        const double margin_off = std::sqrt(row.size + 4.0) * terms;
        if (Problem::curvature == 0) {
            const double reach = kSure * kUnit * margin_off;
            if (plan.l2 > 0 || Problem::slope(margin + reach, label) != Problem::slope(margin - reach, label))
                return kUnbounded;
        }
        for (double& weight : weights) weight *= 1 - step * plan.l2;
        double on_row = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) {
            double& weight = weights[row.index[k]];
            weight -= step * slope * row.value[k];
            on_row += weight * weight;
        }
        squared += std::pow(Problem::curvature * length * margin_off, 2) + std::pow(12 * length * slope, 2) +
                   roundings * on_row;
    }
    if (Problem::curvature == 0) return 0;
    for (const double weight : weights) squared += weight * weight; // the scale is multiplied in
    return kSure * kUnit * std::sqrt(2 * squared);
}

inline double path_bound(const SparseView& data, const Plan& plan, double roundings = 1) {
    return with_linear_problem(plan.problem,
                               [&]<class Problem>(Problem) { return path_bound<Problem>(data, plan, roundings); });
}

/// Two computations of the plan's path are no further apart than the bound.
inline void check_same_path(const std::vector<float>& a, const std::vector<float>& b, const SparseView& data,
                            const Plan& plan, double roundings = 1) {
    double squares = 0;
    for (std::size_t j = 0; j < a.size(); ++j) squares += std::pow(double{a[j]} - b[j], 2);
    const double bound = path_bound(data, plan, roundings);
    INFO(plan.problem << ", " << plan.order << ", " << plan.update);
    CHECK(std::isfinite(bound));
    CHECK(std::sqrt(squares) <= bound);
}

} // namespace hogwild
