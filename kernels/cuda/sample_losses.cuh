// The loss of every sample under given weights, on a GPU: a warp per row, margins and losses in double.
//
//   losses[i] = value(w . x_i, y_i),   wrong[i] = (w . x_i > 0) != (y_i > 0)
//
// Nobody writes the weights meanwhile. A row's sum has one fixed shape, so the same weights give the same bits.
#pragma once

#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/problem.h"

namespace hogwild::device {

template <LinearProblem Problem>
__global__ void sample_losses(SparseView data, const float* weights, double* losses, std::uint32_t* wrong) {
    const std::uint64_t warps = std::uint64_t{gridDim.x} * blockDim.x / kWarp;
    for (std::uint64_t i = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / kWarp; i < data.rows; i += warps) {
        const SparseRow row = data.row(i);
        double margin = 0;
        for (std::uint32_t k = lane(); k < row.size; k += kWarp) {
            margin += static_cast<double>(row.value[k]) * static_cast<double>(weights[row.index[k]]);
        }
        margin = warp_sum(margin);
        if (lane() != 0) continue;
        const double label = row.label;
        losses[i] = Problem::value(margin, label);
        wrong[i] = (margin > 0) != (label > 0) ? 1 : 0;
    }
}

} // namespace hogwild::device
