// Steps over rows that hold every column, on a GPU: every warp on the one buffer.
//
// There is no form with copies of hot coordinates: all are equally hot. Copies of all of them are sparse_steps_hot's.
#pragma once

#include "kernels/cuda/memory/global_weights.cuh"
#include "kernels/cuda/rows/dense_row.cuh"
#include "kernels/cuda/step_through.cuh"

namespace hogwild::device {

/// Whether four columns at a time are possible, and as fast as one: narrower rows leave lanes without work.
inline bool by_fours(const SparseView& data) { return data.columns % 4 == 0 && data.columns >= 4 * kWarp; }

template <class Row, LinearProblem Problem, Scope S, class Update, class Probe>
__global__ void __launch_bounds__(256) dense_steps(const __grid_constant__ PassOver<SparseView> pass) {
    Probe probe(pass.telemetry);
    step_through<Problem, Row>(pass, GlobalWeights<S, Update>(pass), GlobalWeights<S, Update>(pass.telemetry.shadow),
                               probe);
}

} // namespace hogwild::device
