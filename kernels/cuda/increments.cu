#include "kernels/cuda/increments.h"
#include "kernels/cuda/updates/atomic_add.cuh"
#include "kernels/cuda/updates/racy.cuh"
#include "kernels/numbers/random.h"

namespace hogwild {
namespace {

constexpr unsigned kThreads = 256;

template <class Update>
struct OneFloat {
    __device__ static void add(float* cells, std::uint32_t cell) { Update::add(cells[cell], 1.0f); }
};

struct FourFloats {
    __device__ static void add(float* cells, std::uint32_t cell) {
        device::AtomicAdd<Scope::kDevice>::add_four(cells + (cell & ~3u), {1.0f, 1.0f, 1.0f, 1.0f});
    }
};

struct TwoBfloats {
    __device__ static void add(float* cells, std::uint32_t cell) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        constexpr unsigned kOnes = 0x3F803F80;
        asm volatile("red.relaxed.gpu.global.add.noftz.bf16x2 [%0], %1;" ::"l"(__cvta_generic_to_global(cells + cell)),
                     "r"(kOnes)
                     : "memory");
#endif
    }
};

template <class Increment>
__global__ void __launch_bounds__(kThreads) increment_cells(const DeviceIncrements increments) {
    const std::uint32_t thread = blockIdx.x * kThreads + threadIdx.x;
    std::uint32_t state = philox({thread, increments.seed, 0, 0}, philox_key(increments.seed))[0] | 1;
    for (std::uint32_t i = 0; i < increments.per_thread; ++i) {
        state = state * 1'664'525u + 1'013'904'223u; // Numerical Recipes' generator: cheap beside an increment
        Increment::add(increments.cells, state >> 8 & increments.mask);
    }
}

template <class Increment>
cudaError_t launch(const DeviceIncrements& increments, cudaStream_t stream) {
    increment_cells<Increment><<<increments.blocks, kThreads, 0, stream>>>(increments);
    return cudaGetLastError();
}

template <template <Scope> class Update>
void fill(std::array<std::array<IncrementKernel, 2>, std::variant_size_v<Updates>>& kernels) {
    kernels[catalog::find<Updates>(Update<Scope::kDevice>::name)] = {launch<OneFloat<Update<Scope::kDevice>>>,
                                                                     launch<OneFloat<Update<Scope::kSystem>>>};
}

} // namespace

std::array<std::array<IncrementKernel, 2>, std::variant_size_v<Updates>> increment_kernels() {
    std::array<std::array<IncrementKernel, 2>, std::variant_size_v<Updates>> kernels{};
    fill<device::Racy>(kernels);
    fill<device::AtomicAdd>(kernels);
    return kernels;
}

cudaError_t increment_four_floats(const DeviceIncrements& increments, cudaStream_t stream) {
    return launch<FourFloats>(increments, stream);
}

cudaError_t increment_two_bfloats(const DeviceIncrements& increments, cudaStream_t stream) {
    cudaFuncAttributes code{};
    const cudaError_t known = cudaFuncGetAttributes(&code, increment_cells<TwoBfloats>);
    if (known != cudaSuccess) return known;
    return code.ptxVersion < 90 ? cudaErrorNotSupported : launch<TwoBfloats>(increments, stream);
}

} // namespace hogwild
