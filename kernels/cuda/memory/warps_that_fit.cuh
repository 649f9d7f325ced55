// How many warps of a block find room in its shared memory, where each needs some of its own.
#pragma once

#include "kernels/cuda/warp.cuh"

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild::device {

struct OwnMemory {
    unsigned warps;        // of a block: first as many as are wanted
    std::size_t bytes = 0; // of a block
};

/// Leaves so many warps that they fit, a divisor of those wanted, at least one; and lets the kernel have what they need.
template <class Kernel>
cudaError_t fit(OwnMemory& own, Kernel kernel, std::uint32_t words_of_warp) {
    if (words_of_warp == 0) return cudaSuccess;
    int device = 0, most = 0;
    if (const cudaError_t asked = cudaGetDevice(&device); asked != cudaSuccess) return asked;
    const cudaError_t asked = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (asked != cudaSuccess) return asked;
    const unsigned wanted = own.warps;
    const std::size_t bytes = words_of_warp * sizeof(float);
    while (own.warps > 1 && (wanted % own.warps != 0 || own.warps * bytes > static_cast<std::size_t>(most)))
        --own.warps;
    own.bytes = own.warps * bytes;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(own.bytes));
}

} // namespace hogwild::device
