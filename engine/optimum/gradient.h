// One gradient of F in double: for a bound at a run's final weights, and for tests.
//
//   gradient_j = (1/n) sum_i slope(w . x_i, y_i) x_ij + lambda w_j      (where the loss has a kink: a subgradient)
//
// Same bits at any thread count. Thread-safety: any number of calls at once. Errors: throws Error for an unknown
// problem.
#pragma once

#include "kernels/views/sparse_view.h"

#include <span>
#include <string_view>
#include <vector>

namespace hogwild {

std::vector<double> gradient(std::string_view problem, const SparseView& data, double l2,
                             std::span<const double> weights);

} // namespace hogwild
