// How long the samples are, and how much they agree: what default step sizes are scaled by.
//
//   mean_squared_norm = (1/n) sum_i |x_i|^2
//   most_squared_norm = max_i |x_i|^2
//   shared_energy     = largest eigenvalue of (1/n) sum_i x_i x_i', from below: a gradient step on the mean loss diverges when
//                       step x curvature x shared_energy passes 2
//
// In double, the same bits at any thread count. Thread-safety: any number of calls at once.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>

namespace hogwild {

/// 0 when there are no samples.
double mean_squared_norm(const SparseView& data);
double most_squared_norm(const SparseView& data);

/// The largest eigenvalue, by power iteration over at most 16,384 samples, evenly spaced; 0 when there are none.
double shared_energy(const SparseView& data);

/// The deviation of ratings around their mean; 0 for fewer than two, or for equal ones.
double deviation(const RatingsView& data);

/// All of these numbers, how many samples there are, and whether they are dense. The defaults are those of countless
/// samples of unit norm that agree in nothing. Ratings have their deviation for a squared norm. Where ratings spread k
/// times as far, factors are the root of k times as large, and so are gradients. A step moves factors over these
/// gradients k times as fast. An edge of mean weight moves 2 rows of all classes by half a step: its squared norm is
/// half the number of classes. Images count as of unit norm. A layer's initial weights are as small as its inputs are
/// many. So what a step moves the scores by depends on the network, not on the images' norm.
struct SampleScale {
    double squared_norm = 1;
    double shared_energy = 0;
    std::uint64_t rows = std::uint64_t{1} << 40;
    std::uint32_t dense_columns = 0; // all, where every sample holds every column
    double most_squared_norm = 1;    // of sparse rows
};
SampleScale sample_scale(const AnyView& data);

} // namespace hogwild
