#include "kernels/cuda/memory/vector.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace hogwild {
namespace {

constexpr unsigned kThreads = 256;

__global__ void scale_all(float* values, std::uint32_t count, float factor) {
    const std::uint32_t j = blockIdx.x * kThreads + threadIdx.x;
    if (j < count) values[j] *= factor;
}

template <class Half>
__global__ void narrow_all(const float* from, Half* to, std::uint32_t count) {
    const std::uint32_t j = blockIdx.x * kThreads + threadIdx.x;
    if (j < count) to[j] = Half(from[j]);
}

__global__ void add_all(float* values, const float* by, std::uint32_t count) {
    const std::uint32_t j = blockIdx.x * kThreads + threadIdx.x;
    if (j < count && by[j] != 0.0f) atomicAdd(values + j, by[j]);
}

unsigned blocks(std::uint32_t count) { return (count + kThreads - 1) / kThreads; }

} // namespace

cudaError_t scale_on_device(float* values, std::uint32_t count, float factor, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    scale_all<<<blocks(count), kThreads, 0, stream>>>(values, count, factor);
    return cudaGetLastError();
}

cudaError_t narrow_on_device(const float* from, const StoredWeights& to, std::uint32_t count, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    if (to.storage == Storage::kBf16)
        narrow_all<<<blocks(count), kThreads, 0, stream>>>(from, static_cast<__nv_bfloat16*>(to.at), count);
    else
        narrow_all<<<blocks(count), kThreads, 0, stream>>>(from, static_cast<__half*>(to.at), count);
    return cudaGetLastError();
}

cudaError_t add_on_device(float* values, const float* by, std::uint32_t count, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    add_all<<<blocks(count), kThreads, 0, stream>>>(values, by, count);
    return cudaGetLastError();
}

} // namespace hogwild
