#include "kernels/cuda/memory/snapshot.h"

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/memory/half_atomic.cuh"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/warp.cuh"

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

struct Floats {
    const float* at;
    __device__ float operator[](std::uint64_t j) const { return device::relaxed_load<Scope::kSystem>(at[j]); }
};

template <class Number>
struct Halves {
    const std::uint16_t* at;
    __device__ float operator[](std::uint64_t j) const { return Number::widened(device::relaxed_load_half(at + j)); }
};

template <class Weights>
__global__ void copy_all(Weights from, float* to, std::uint32_t count, ProgressCounts counts, CopyProgress* progress) {
    const bool counted = counts.streams != nullptr;
    if (counted) note(counts, &progress->begun, 0, &progress->before);
    for (std::uint64_t j = blockIdx.x * kThreads + threadIdx.x; j < count; j += std::uint64_t{gridDim.x} * kThreads) {
        to[j] = from[j];
    }
    if (counted) note(counts, &progress->ended, gridDim.x - 1, &progress->after);
}

} // namespace

cudaError_t copy_snapshot(const StoredWeights& from, float* to, std::uint32_t count, const ProgressCounts& counts,
                          CopyProgress* progress, cudaStream_t stream) {
    const std::uint32_t blocks = std::clamp((count + kThreads - 1) / kThreads, 1u, kMostBlocks);
    const auto copy = [&](const auto& weights) {
        copy_all<<<blocks, kThreads, 0, stream>>>(weights, to, count, counts, progress);
        return cudaGetLastError();
    };
    if (from.storage == Storage::kFloat32) return copy(Floats{static_cast<const float*>(from.at)});
    const auto* const halves = static_cast<const std::uint16_t*>(from.at);
    return from.storage == Storage::kBf16 ? copy(Halves<Bf16>{halves}) : copy(Halves<Fp16>{halves});
}

} // namespace hogwild
