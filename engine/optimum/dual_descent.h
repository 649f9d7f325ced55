// The optimum of the hinge by dual coordinate descent, certified by the duality gap.
//
//   primal  F(w) = (1/n) sum_i max(0, 1 - y_i w . x_i) + (lambda / 2) |w|^2
//   dual    D(a) = lambda (sum_i a_i - |w(a)|^2 / 2),   w(a) = sum_i a_i y_i x_i,   0 <= a_i <= C = 1 / (lambda n)
//   weak duality: D(a) <= F* <= F(w) for every feasible a and every w.
//
// Each step minimises exactly over one a_i, in a seeded random order. Variables that sit firmly at a bound are left out
// until the rest has converged (shrinking). For the gap, w(a) is summed anew from a, in parallel: the sum of steps
// drifts. Serial apart from that, so the same bits at any thread count.
//
// Source: Hsieh, Chang, Lin, Keerthi and Sundararajan, "A dual coordinate descent method for large-scale linear SVM",
// ICML 2008, algorithm 3.
#pragma once

#include "engine/optimum/deadline.h"
#include "engine/optimum/optimum.h"
#include "engine/optimum/sample_matrix.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class DualDescent {
public:
    /// Precondition: l2 > 0 and at least one row.
    DualDescent(const SparseView& data, double l2, const OptimumOptions& options);

    Optimum solve();

private:
    /// One traversal of the active variables; returns how far apart their projected gradients lie.
    double sweep();
    double upper_bound() const { return 1 / (l2_ * static_cast<double>(matrix_.data().rows)); }
    void shuffle();
    void activate_all();
    /// Brings best_ up to date with the current dual variables; true when the gap asked for is certified.
    bool certify();
    std::uint64_t passes() const;

    SampleMatrix matrix_;
    double l2_;
    OptimumOptions options_;
    Deadline deadline_;
    Optimum best_;
    std::vector<double> weights_;  // w(a)
    std::vector<double> duals_;    // a
    std::vector<double> diagonal_; // y_i^2 |x_i|^2
    std::vector<double> margins_, signed_duals_;
    std::vector<std::uint32_t> active_; // the first active_size_ take part
    std::size_t active_size_ = 0;
    double highest_, lowest_;   // projected gradients of the last sweep: what counts as firmly at a bound
    std::uint64_t visited_ = 0; // samples visited by sweeps
    std::uint64_t draws_ = 0;   // counter of the random numbers
};

} // namespace hogwild
