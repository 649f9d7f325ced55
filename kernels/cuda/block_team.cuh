// Thread blocks that work on one step together: a cluster of up to eight, which the device runs at the same time, or a block alone
// where the device has no clusters (before compute capability 9.0).
#pragma once

#include "kernels/cuda/batches.h"
#include "kernels/cuda/device_kernels.h"

#include <utility>

#include <cuda_runtime.h>

namespace hogwild::device {

inline constexpr unsigned kTeamThreads = 256; // of each block

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

    /// Of this block among its team's.
    __device__ static unsigned rank() { return blockIdx.x % size(); }

    /// Of this team among the launch's.
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

/// Blocks of a team where so many are launched: the largest power of two up to eight that divides them.
inline unsigned team_size(unsigned blocks) {
    unsigned size = launches_can_overlap() ? 8 : 1; // code that knows the one knows the other
    while (blocks % size != 0) size /= 2;
    return size;
}

template <class... Parameters, class... Arguments>
cudaError_t launch_teams(void (*kernel)(Parameters...), unsigned blocks, cudaStream_t stream,
                         Arguments&&... arguments) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {team_size(blocks), 1, 1};
    cudaLaunchConfig_t shape{};
    shape.gridDim = blocks;
    shape.blockDim = kTeamThreads;
    shape.stream = stream;
    shape.attrs = &attribute;
    shape.numAttrs = attribute.val.clusterDim.x > 1 ? 1 : 0;
    return cudaLaunchKernelEx(&shape, kernel, std::forward<Arguments>(arguments)...);
}

} // namespace hogwild::device
