#include "kernels/cuda/snapshot.h"

#include "kernels/cuda/atomic.cuh"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/warp_row.cuh"

#include <algorithm>

namespace hogwild {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kMostBlocks = 128;

/// By a warp.
__device__ unsigned long long consumed(const ProgressCounts& counts) {
    unsigned long long sum = 0;
    for (unsigned k = device::lane(); k < counts.thread_count; k += device::kWarp) {
        sum += *static_cast<const volatile unsigned long long*>(counts.threads + HostCounts::kStride * k);
    }
    return device::warp_sum(sum) + *static_cast<const volatile unsigned long long*>(counts.streams);
}

/// Fills `count` where this block is number `turn` of those that get here.
__device__ void note(const ProgressCounts& counts, unsigned* arrived, unsigned turn, unsigned long long* count) {
    __shared__ bool mine;
    __syncthreads();
    if (threadIdx.x == 0) mine = atomicAdd(arrived, 1u) == turn;
    __syncthreads();
    if (!mine || threadIdx.x >= device::kWarp) return;
    const unsigned long long sum = consumed(counts);
    if (threadIdx.x == 0) *count = sum;
}

__global__ void copy_all(const float* from, float* to, std::uint32_t count, ProgressCounts counts,
                         CopyProgress* progress) {
    const bool counted = counts.streams != nullptr;
    if (counted) note(counts, &progress->begun, 0, &progress->before);
    for (std::uint64_t j = blockIdx.x * kThreads + threadIdx.x; j < count; j += std::uint64_t{gridDim.x} * kThreads) {
        to[j] = device::relaxed_load<Scope::kSystem>(from[j]);
    }
    if (counted) note(counts, &progress->ended, gridDim.x - 1, &progress->after);
}

} // namespace

cudaError_t copy_snapshot(const float* from, float* to, std::uint32_t count, const ProgressCounts& counts,
                          CopyProgress* progress, cudaStream_t stream) {
    const std::uint32_t blocks = std::clamp((count + kThreads - 1) / kThreads, 1u, kMostBlocks);
    copy_all<<<blocks, kThreads, 0, stream>>>(from, to, count, counts, progress);
    return cudaGetLastError();
}

} // namespace hogwild
