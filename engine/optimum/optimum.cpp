#include "engine/optimum/optimum.h"

#include "engine/machine/memory_budget.h"
#include "engine/optimum/dual_descent.h"
#include "engine/optimum/gradient.h"
#include "engine/optimum/known_problem.h"
#include "engine/optimum/newton.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include <fmt/format.h>

namespace hogwild {
namespace {

void check(const SparseView& data, double l2) {
    if (data.rows == 0) throw Error("no optimum", "there are no samples", "give a dataset with at least one row");
    if (!std::isfinite(l2) || l2 < 0) {
        throw Error(Failure::kUsage, "no optimum for lambda = " + std::to_string(l2),
                    "it must be finite and not negative", "give a lambda above 0, for instance 1/n");
    }
    constexpr std::uint64_t kVectors = 10; // of doubles: weights, gradient, conjugate directions, ...; fewer per row
    require_memory(kVectors * sizeof(double) * (data.columns + data.rows),
                   fmt::format("a solver for {} columns and {} samples", data.columns, data.rows),
                   "renumber the features, or give the target as a loss, --target 0.3");
}

/// The smaller of two bounds, either of which may be kNone.
double tighter(double a, double b) { return std::fmin(a, b); }

} // namespace

Optimum solve(std::string_view problem, const SparseView& data, double l2, const OptimumOptions& options) {
    return with_known_linear_problem(problem, [&]<class Problem>(Problem) -> Optimum {
        check(data, l2);
        if constexpr (Problem::curvature > 0) {
            return Newton<Problem>(data, l2, options).solve();
        } else {
            if (!std::is_same_v<Problem, Hinge> || l2 == 0) {
                throw Error("no certified optimum for " + std::string(Problem::name) +
                                " at lambda = " + std::to_string(l2),
                            "it is not smooth, and only the hinge with lambda > 0 has a dual solver here",
                            "use a lambda above 0 with the hinge, or a target on the test error");
            }
            return DualDescent(data, l2, options).solve();
        }
    });
}

double gradient_bound(std::string_view problem, const SparseView& data, double l2, std::span<const double> weights,
                      double l1) {
    const bool smooth =
        with_known_linear_problem(problem, []<class Problem>(Problem) { return Problem::curvature > 0; });
    if (!smooth || !(l2 > 0) || data.rows == 0) return kNone;
    const std::vector<double> slopes = gradient(problem, data, 0, weights);
    double sum = 0;
    for (std::size_t j = 0; j < slopes.size(); ++j) {
        // z is the least of r(w) + w v over w. The bound counts what w is from there. For a w on the other side of 0,
        // or where z = 0, it counts the kink too.
        const double v = slopes[j], w = weights[j], beyond = std::max(std::abs(v) - l1, 0.0);
        const double z = std::copysign(beyond / l2, -v);
        sum += 0.5 * l2 * (w - z) * (w - z);
        if (beyond == 0) sum += l1 * std::abs(w) + w * v;
        if (beyond > 0 && w * z < 0) sum += 2 * l1 * std::abs(w);
    }
    return sum;
}

double optimality_bound(double objective, double lower) {
    return std::isnan(objective) || std::isnan(lower) ? kNone : std::max(objective - lower, 0.0);
}

double optimality_bound(std::string_view problem, const SparseView& data, double l2, std::span<const double> weights,
                        double objective, double lower, double l1) {
    return tighter(optimality_bound(objective, lower), gradient_bound(problem, data, l2, weights, l1));
}

} // namespace hogwild
