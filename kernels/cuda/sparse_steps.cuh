// Steps over sparse rows on a GPU: every warp on the one buffer, or on copies of the hottest coordinates.
#pragma once

#include "kernels/cuda/global_weights.cuh"
#include "kernels/cuda/hot_weights.cuh"
#include "kernels/cuda/step_through.cuh"
#include "kernels/cuda/warp_row.cuh"

namespace hogwild::device {

/// Every warp steps on the one buffer.
template <LinearProblem Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(256) sparse_steps(const __grid_constant__ PassOver<SparseView> pass) {
    Probe probe(pass.telemetry);
    step_through<Problem, WarpRow<4>>(pass, GlobalWeights<S, Update>(pass),
                                      GlobalWeights<S, Update>(pass.telemetry.shadow), probe);
}

/// The block's last warp exchanges hot coordinates, round after round; the others step. Shared memory: 2 x hot floats.
template <LinearProblem Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(288) sparse_steps_hot(const __grid_constant__ PassOver<SparseView> pass) {
    using Weights = HotWeights<S, Update>;
    extern __shared__ float shared[];
    __shared__ unsigned stepping; // warps that have not run out of pieces
    __shared__ unsigned steps;
    const HotExchange& exchange = pass.exchange;
    const Weights weights(static_cast<float*>(pass.weights), shared, &steps, exchange);
    const unsigned warps = blockDim.x / kWarp, warp = threadIdx.x / kWarp;
    if (threadIdx.x == 0) stepping = warps - 1, steps = 0;
    for (std::uint32_t k = threadIdx.x; k < exchange.hot; k += blockDim.x) weights.fetch(k);
    __syncthreads();
    if (warp < warps - 1) {
        Probe probe(pass.telemetry);
        step_through<Problem, WarpRow<4>>(pass, weights, GlobalWeights<S, Update>(pass.telemetry.shadow), probe);
        if (lane() == 0) atomicSub(&stepping, 1u);
    } else {
        unsigned before = 0;
        while (*const_cast<volatile unsigned*>(&stepping) > 0) {
            if (!weights.due(before)) continue;
            for (std::uint32_t k = 0; k < exchange.hot; k += Weights::kGroup) weights.exchange(k, exchange.rule);
        }
    }
    __syncthreads();
    for (std::uint32_t k = warp * Weights::kGroup; k < exchange.hot; k += warps * Weights::kGroup) {
        weights.exchange(k, exchange.rule);
    }
}

} // namespace hogwild::device
