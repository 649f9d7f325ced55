// Steps over sparse rows on a GPU: every warp on the one buffer, or on copies of the hottest coordinates.
#pragma once

#include "kernels/cuda/memory/global_weights.cuh"
#include "kernels/cuda/rows/hot_block.cuh"
#include "kernels/cuda/rows/hot_weights.cuh"
#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/cuda/step_through.cuh"

namespace hogwild::device {

/// Every warp steps on the one buffer.
template <LinearProblem Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(256) sparse_steps(const __grid_constant__ PassOver<SparseView> pass) {
    Probe probe(pass.telemetry);
    step_through<Problem, WarpRow<4>>(pass, GlobalWeights<S, Update>(pass),
                                      GlobalWeights<S, Update>(pass.telemetry.shadow), probe);
}

template <LinearProblem Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(288) sparse_steps_hot(const __grid_constant__ PassOver<SparseView> pass) {
    using Weights = HotWeights<S, Update>;
    step_on_copies<Weights>(pass, [&](const Weights& weights) {
        Probe probe(pass.telemetry);
        step_through<Problem, WarpRow<4>>(pass, weights, GlobalWeights<S, Update>(pass.telemetry.shadow), probe);
    });
}

} // namespace hogwild::device
