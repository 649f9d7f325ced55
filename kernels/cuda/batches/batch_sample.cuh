// Which sample of a batch a warp or a thread takes (kernels/cuda/batches/batches.h).
#pragma once

#include "kernels/cuda/batches/batches.h"
#include "kernels/cuda/rows/warp_row.cuh"

namespace hogwild::device {

__device__ inline std::uint32_t warp_of_grid() { return blockIdx.x * (blockDim.x / kWarp) + threadIdx.x / kWarp; }

/// The batch's sample i; of no nonzeros beyond its last.
__device__ inline BatchSample sample_of(const DeviceBatches& run, std::uint32_t batch, std::uint32_t i) {
    const std::uint64_t position = std::uint64_t{batch} * run.size + i;
    return i < run.size && position < run.data.rows ? run.samples[position] : BatchSample{};
}

} // namespace hogwild::device
