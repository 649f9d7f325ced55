// Thread blocks that work on one step together: a cluster of up to eight, which the device runs at the same time. A
// device without clusters (before compute capability 9.0) has blocks alone.
#pragma once

#include "kernels/cuda/launches_can_overlap.h"
#include "kernels/cuda/network/team_memory.h"
#include "kernels/cuda/products/squad.cuh"

#include <cstddef>
#include <utility>

#include <cuda_runtime.h>

namespace hogwild::device {

/// Squads of a block that is of a team.
inline constexpr unsigned kMostSquads = 2;

/// This block's team.
class BlockTeam {
public:
    __device__ static unsigned size() {
        unsigned blocks = 1;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm("mov.u32 %0, %cluster_nctarank;" : "=r"(blocks));
#endif
        return blocks;
    }

    /// This block's number among its team's.
    __device__ static unsigned rank() { return blockIdx.x % size(); }

    /// This team's number among the launch's.
    __device__ static unsigned number() { return blockIdx.x / size(); }

    /// Waits for all threads of the team: what each wrote before, all see after (release, acquire).
    __device__ static void sync() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
        __syncthreads();
#endif
    }
};

/// Blocks of a team where so many are launched.
inline unsigned team_size(unsigned blocks) {
    return launches_can_overlap() ? blocks_of_team(blocks) : 1; // code that knows the one knows the other
}

/// Squads of a block, whose memory has to hold `bytes` for each.
inline unsigned squads_of_block(std::size_t bytes) {
    int device = 0, most = 0;
    const bool known = cudaGetDevice(&device) == cudaSuccess &&
                       cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess;
    return known && kMostSquads * bytes <= static_cast<std::size_t>(most) ? kMostSquads : 1;
}

/// `bytes`: of shared memory, for each squad.
template <class... Parameters, class... Arguments>
cudaError_t launch_teams(void (*kernel)(Parameters...), unsigned blocks, std::size_t bytes, cudaStream_t stream,
                         Arguments&&... arguments) {
    const unsigned squads = squads_of_block(bytes);
    const std::size_t shared = squads * bytes;
    const cudaError_t allowed =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    if (allowed != cudaSuccess) return allowed;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {team_size(blocks), 1, 1};
    cudaLaunchConfig_t shape{};
    shape.gridDim = blocks;
    shape.blockDim = squads * kSquadThreads;
    shape.dynamicSmemBytes = shared;
    shape.stream = stream;
    shape.attrs = &attribute;
    shape.numAttrs = attribute.val.clusterDim.x > 1 ? 1 : 0;
    return cudaLaunchKernelEx(&shape, kernel, std::forward<Arguments>(arguments)...);
}

} // namespace hogwild::device
