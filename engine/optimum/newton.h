// Truncated Newton for smooth problems. Each step solves H d = -grad F by conjugate gradients with the diagonal of H as
// preconditioner. It then backtracks along d until F falls enough (Armijo).
//
//   certificate: F(w) - F* <= |grad F(w)|^2 / (2 lambda), because F is lambda-strongly convex.
//
// The inner accuracy tightens with the gradient (superlinear convergence) and never beyond what the certificate needs.
// lambda = 0: no certificate; stops when |grad F(w)| <= relative_gap |grad F(0)|.
//
// Sources: Nocedal and Wright, "Numerical Optimization", 2006, algorithm 7.1. Lin, Weng and Keerthi, "Trust region
// Newton method for large-scale logistic regression", JMLR 2008 (products with H through X). Hsia, Chiang and Lin,
// "Preconditioned conjugate gradient methods in truncated Newton frameworks", ACML 2018.
#pragma once

#include "engine/optimum/deadline.h"
#include "engine/optimum/optimum.h"
#include "engine/optimum/smooth_objective.h"

namespace hogwild {

template <class Problem>
class Newton {
public:
    Newton(const SparseView& data, double l2, const OptimumOptions& options)
        : objective_(data, l2),
          options_(options),
          deadline_(options),
          weights_(data.columns),
          gradient_(data.columns),
          step_(data.columns),
          margins_(data.rows),
          change_(data.rows),
          curvatures_(data.rows) {}

    Optimum solve() {
        Optimum best;
        best.initial = value_ = objective_.mean_loss(margins_, change_, 0);
        objective_.gradient(weights_, margins_, gradient_);
        const double l2 = objective_.l2();
        const double steepest = std::sqrt(dot(gradient_, gradient_));
        for (;;) {
            const double slope = std::sqrt(dot(gradient_, gradient_));
            const double bound = l2 > 0 ? slope * slope / (2 * l2) : kNone;
            const double wanted = options_.wanted_gap(best.initial, value_);
            best.converged = l2 > 0 && bound <= wanted;
            const bool done = l2 > 0 ? best.converged : slope <= options_.relative_gap * steepest;
            if (done || deadline_.over(objective_.matrix.passes()) || !descend(slope, steepest, wanted)) {
                best.value = value_;
                best.gap = bound;
                best.lower = value_ - bound;
                break;
            }
        }
        best.passes = objective_.matrix.passes();
        best.seconds = deadline_.seconds();
        best.weights = std::move(weights_);
        return best;
    }

private:
    /// One Newton step; false when rounding leaves nothing to gain.
    bool descend(double slope, double steepest, double wanted) {
        objective_.curvatures(margins_, curvatures_);
        const double tightening = std::sqrt(slope / steepest);
        const double enough =
            0.3 * std::sqrt(2 * objective_.l2() * wanted); // the certificate holds below 1 x this root
        solve_for_step(std::min(std::max(tightening * slope, enough), 0.25 * slope));
        objective_.matrix.multiply(step_, change_);
        return line_search();
    }

    /// step = an approximate solution of H step = -gradient, with residual at most `tolerance`.
    void solve_for_step(double tolerance) {
        const std::size_t n = objective_.columns();
        std::vector<double> inverse(n), residual(n), scaled(n), direction(n), product(n);
        objective_.matrix.squares_transposed(curvatures_, inverse);
        for (std::size_t j = 0; j < n; ++j) {
            const double diagonal = inverse[j] + objective_.l2();
            inverse[j] = diagonal > 0 ? 1 / diagonal : 0; // a coordinate that no sample touches stays where it is
            step_[j] = 0;
            residual[j] = -gradient_[j];
            direction[j] = scaled[j] = inverse[j] * residual[j];
        }
        double progress = dot(residual, scaled);
        for (int k = 0; k < kMostSteps && progress > 0 && !deadline_.over(objective_.matrix.passes()); ++k) {
            objective_.hessian(curvatures_, direction, product);
            const double bend = dot(direction, product);
            if (!(bend > 0)) break; // flat to rounding: only where lambda = 0
            const double length = progress / bend;
            for (std::size_t j = 0; j < n; ++j) {
                step_[j] += length * direction[j];
                residual[j] -= length * product[j];
                scaled[j] = inverse[j] * residual[j];
            }
            if (std::sqrt(dot(residual, residual)) <= tolerance) break;
            const double next = dot(residual, scaled);
            const double share = next / progress;
            progress = next;
            for (std::size_t j = 0; j < n; ++j) direction[j] = scaled[j] + share * direction[j];
        }
    }

    bool line_search() {
        const double l2 = objective_.l2();
        const double descent = dot(gradient_, step_);
        const double cross = dot(weights_, step_);
        const double square = dot(step_, step_);
        const double norm = dot(weights_, weights_);
        // Near the optimum F is flat to rounding while its gradient still falls; this much rise is noise.
        const double noise = 1e-14 * std::abs(value_);
        for (double length = 1; length > 1e-10; length *= 0.5) {
            const double value = objective_.mean_loss(margins_, change_, length) +
                                 0.5 * l2 * (norm + 2 * length * cross + length * length * square);
            if (!(value <= value_ + 1e-4 * length * descent + noise)) continue;
            for (std::size_t j = 0; j < weights_.size(); ++j) weights_[j] += length * step_[j];
            objective_.matrix.multiply(weights_, margins_); // anew: sums of steps would drift from X w
            value_ = objective_.mean_loss(margins_, margins_, 0) + 0.5 * l2 * dot(weights_, weights_);
            objective_.gradient(weights_, margins_, gradient_);
            return true;
        }
        return false;
    }

    static constexpr int kMostSteps = 1000;

    SmoothObjective<Problem> objective_;
    OptimumOptions options_;
    Deadline deadline_;
    double value_ = 0;
    std::vector<double> weights_, gradient_, step_;     // one entry per column
    std::vector<double> margins_, change_, curvatures_; // one per row; change = X step
};

} // namespace hogwild
