// The slopes of a dense batch (kernels/cuda/batches/dense_batches.h): a thread per sample.
#pragma once

#include "kernels/cuda/batches/batch_sample.cuh"
#include "kernels/problem.h"

namespace hogwild::device {

template <LinearProblem Problem>
__global__ void __launch_bounds__(256)
    slopes_of_margins(const __grid_constant__ DeviceBatches run, std::uint32_t number) {
    const std::uint32_t batch = *run.base + number, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= run.size) return;
    const BatchSample sample = sample_of(run, batch, i);
    const BatchPace pace = run.paces[batch];
    run.slopes[i] = sample.size == 0 ? 0.0f : pace.factor * Problem::slope(pace.scale * run.slopes[i], sample.label);
}

template <LinearProblem Problem>
cudaError_t launch_batch_slopes(const DeviceBatches& run, std::uint32_t number, cudaStream_t stream) {
    constexpr unsigned kThreads = 256;
    slopes_of_margins<Problem><<<(run.size + kThreads - 1) / kThreads, kThreads, 0, stream>>>(run, number);
    return cudaGetLastError();
}

} // namespace hogwild::device
