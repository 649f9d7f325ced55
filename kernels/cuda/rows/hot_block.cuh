// A block whose warps step on copies of hot coordinates while its last warp exchanges these, round after round.
#pragma once

#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/rows/warp_row.cuh"

#include <cstddef>
#include <cstdint>

namespace hogwild::device {

/// step(weights): by every warp but the last, until none of the pass's pieces is left. `Weights` begins with the pass, 2 x hot
/// floats of shared memory, and a count of steps there (kernels/cuda/rows/hot_copies.cuh).
template <class Weights, class Pass, class Step>
__device__ void step_on_copies(const Pass& pass, const Step& step) {
    extern __shared__ float4 shared[];
    __shared__ unsigned stepping; // warps that have not run out of pieces
    __shared__ unsigned steps;
    const HotExchange& exchange = pass.exchange;
    const Weights weights(pass, reinterpret_cast<float*>(shared), &steps);
    const unsigned warps = blockDim.x / kWarp, warp = threadIdx.x / kWarp;
    if (threadIdx.x == 0) stepping = warps - 1, steps = 0;
    for (std::uint32_t k = threadIdx.x; k < exchange.hot; k += blockDim.x) weights.fetch(k);
    __syncthreads();
    if (warp < warps - 1) {
        step(weights);
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

/// Such blocks, of a warp more than the shape says.
template <class Pass>
cudaError_t launch_with_copies(void (*kernel)(Pass), const Pass& pass, LaunchShape shape, cudaStream_t stream) {
    const std::size_t shared = 2 * pass.exchange.hot * sizeof(float);
    const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    if (allowed != cudaSuccess) return allowed;
    kernel<<<shape.blocks, (shape.warps + 1) * kWarp, shared, stream>>>(pass);
    return cudaGetLastError();
}

} // namespace hogwild::device
