// How long the samples are: what a default step size is scaled by.
//
//   mean_squared_norm = (1/n) sum_i |x_i|^2
//
// In double, the same bits at any thread count. Thread-safety: any number of calls at once.
#pragma once

#include "kernels/views.h"

namespace hogwild {

/// 0 when there are no samples.
double mean_squared_norm(const SparseView& data);

} // namespace hogwild
