// Margins w . x_i of every sample: what a linear model says of it.
//
// Summed in double in the order of the indices; the same bits as inside engine/record/evaluate.h, at any number of threads.
// Thread-safety: any number of calls at once. Errors: none.
#pragma once

#include "kernels/views/sparse_view.h"

#include <span>
#include <vector>

namespace hogwild {

/// `weights`: data.columns of them.
std::vector<double> margins(const SparseView& data, std::span<const float> weights);

} // namespace hogwild
