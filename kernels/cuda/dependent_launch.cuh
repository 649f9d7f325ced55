// Launches that begin while the one before on their stream still runs (programmatic dependent launch). Where the device has
// no such thing (before compute capability 9.0) the marks mean nothing, and launches follow each other.
#pragma once

#include <cstddef>
#include <utility>

#include <cuda_runtime.h>

namespace hogwild::device {

/// Returns once the launch before has ended and its writes can be seen.
__device__ inline void wait_for_launch_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The launch after may begin.
__device__ inline void let_launch_after_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

struct GridShape {
    unsigned blocks, threads;
    std::size_t shared = 0; // bytes of each block
};

/// `overlaps`: it may begin before the launch before it has ended.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), const GridShape& grid, bool overlaps, cudaStream_t stream,
                   Arguments&&... arguments) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t shape{};
    shape.gridDim = grid.blocks;
    shape.blockDim = grid.threads;
    shape.dynamicSmemBytes = grid.shared;
    shape.stream = stream;
    shape.attrs = &attribute;
    shape.numAttrs = overlaps ? 1 : 0;
    return cudaLaunchKernelEx(&shape, kernel, std::forward<Arguments>(arguments)...);
}

/// Where a block's memory may be more than a kernel has unasked.
template <class... Parameters, class... Arguments>
cudaError_t launch_with_memory(void (*kernel)(Parameters...), const GridShape& grid, bool overlaps, cudaStream_t stream,
                               Arguments&&... arguments) {
    const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(grid.shared));
    if (allowed != cudaSuccess) return allowed;
    return launch(kernel, grid, overlaps, stream, std::forward<Arguments>(arguments)...);
}

} // namespace hogwild::device
