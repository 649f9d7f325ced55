// The launches of a synchronous minibatch step (kernels/cuda/batches/batches.h): a warp per sample.
#pragma once

#include "kernels/cuda/batches/batch_sample.cuh"
#include "kernels/cuda/batches/batch_weights.cuh"
#include "kernels/cuda/batches/batches.h"
#include "kernels/cuda/batches/integer_sums.cuh"
#include "kernels/cuda/dependent_launch.cuh"
#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/problem.h"

namespace hogwild::device {

/// sums += slope x over the batch; slopes are kept for apply_to_samples.
template <LinearProblem Problem>
__global__ void __launch_bounds__(256) sum_gradients(const __grid_constant__ DeviceBatches run, std::uint32_t number) {
    using Row = WarpRow<4>;
    const std::uint32_t batch = *run.base + number, i = warp_of_grid();
    const BatchSample sample = sample_of(run, batch, i);
    const Row row(run.data, sample.begin, sample.size);
    const float scale = run.paces[batch].scale;
    if (lane() == 0) {
        const BatchSample next = sample_of(run, batch + 1, i);
        Row::fetch_ahead(run.data, next.begin, next.size);
    }
    wait_for_launch_before();
    let_launch_after_begin();
    if (sample.size == 0) {
        if (run.slopes != nullptr && i < run.size && lane() == 0) run.slopes[i] = 0;
        return;
    }
    const float slope = Problem::slope(scale * row.dot(SharedWeights(run.weights)), sample.label);
    if (run.slopes != nullptr && lane() == 0) run.slopes[i] = slope;
    if (slope != 0.0f) row.add_to(IntegerSums(run.sums, run.unit), slope);
}

/// v += factor x sums, and sums are zero again: a thread per coordinate.
template <class = void>
__global__ void __launch_bounds__(256)
    apply_to_coordinates(const __grid_constant__ DeviceBatches run, std::uint32_t number) {
    const float factor = run.paces[*run.base + number].factor;
    const std::uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;
    wait_for_launch_before();
    let_launch_after_begin();
    if (j >= run.data.columns) return;
    const long long sum = run.sums[j];
    if (sum == 0) return;
    run.sums[j] = 0;
    run.weights[j] = applied(run.weights[j], factor, sum, run.unit);
}

/// The same by the batch's samples: of those that share a coordinate the first takes its sum.
template <class = void>
__global__ void __launch_bounds__(256)
    apply_to_samples(const __grid_constant__ DeviceBatches run, std::uint32_t number) {
    const std::uint32_t batch = *run.base + number, i = warp_of_grid();
    const BatchSample sample = sample_of(run, batch, i);
    const float factor = run.paces[batch].factor;
    wait_for_launch_before();
    let_launch_after_begin();
    if (sample.size == 0 || run.slopes[i] == 0.0f) return;
    for (std::uint32_t k = lane(); k < sample.size; k += kWarp) {
        const std::uint32_t j = run.data.indices[sample.begin + k];
        const auto sum = static_cast<long long>(atomicExch(reinterpret_cast<unsigned long long*>(run.sums + j), 0ULL));
        if (sum != 0) run.weights[j] = applied(run.weights[j], factor, sum, run.unit);
    }
}

template <LinearProblem Problem>
cudaError_t launch_batch_step(const DeviceBatches& run, std::uint32_t number, cudaStream_t stream) {
    constexpr unsigned kThreads = 256;
    const unsigned by_samples = (run.size + kThreads / kWarp - 1) / (kThreads / kWarp);
    const unsigned by_coordinates = (run.data.columns + kThreads - 1) / kThreads;
    const cudaError_t summed =
        launch(sum_gradients<Problem>, {by_samples, kThreads}, run.overlaps, stream, run, number);
    if (summed != cudaSuccess) return summed;
    return run.slopes == nullptr
               ? launch(apply_to_coordinates<>, {by_coordinates, kThreads}, run.overlaps, stream, run, number)
               : launch(apply_to_samples<>, {by_samples, kThreads}, run.overlaps, stream, run, number);
}

} // namespace hogwild::device
