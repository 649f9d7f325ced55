// Accesses to coordinates of 16 bits that other warps may read and write at the same time. An access takes one, or
// eight neighbours whose address is a multiple of 16. Scope and atomicity are those of kernels/cuda/memory/atomic.cuh
// and quad.cuh, of device scope. Each coordinate is atomic, eight together are not.
//
// Eight are one load or store of 16 bytes, and one vector reduction from compute capability 9.0 on; four reductions of pairs
// before.
#pragma once

#include "kernels/numbers/half.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace hogwild::device {

__device__ inline std::uint32_t relaxed_load_half(const std::uint16_t* coordinate) {
    std::uint16_t bits;
    asm volatile("ld.relaxed.gpu.global.u16 %0, [%1];"
                 : "=h"(bits)
                 : "l"(__cvta_generic_to_global(coordinate))
                 : "memory");
    return bits;
}

__device__ inline uint4 relaxed_load_eight(const std::uint16_t* coordinates) {
    uint4 bits;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
                 : "l"(__cvta_generic_to_global(coordinates))
                 : "memory");
    return bits;
}

__device__ inline void relaxed_store_half(std::uint16_t* coordinate, std::uint32_t bits) {
    asm volatile("st.relaxed.gpu.global.u16 [%0], %1;" ::"l"(__cvta_generic_to_global(coordinate)),
                 "h"(static_cast<std::uint16_t>(bits))
                 : "memory");
}

__device__ inline void relaxed_store_eight(std::uint16_t* coordinates, uint4 bits) {
    asm volatile("st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(coordinates)),
                 "r"(bits.x), "r"(bits.y), "r"(bits.z), "r"(bits.w)
                 : "memory");
}

/// What atomicAdd calls such a number, and two of them.
template <class Number>
using CudaHalf = std::conditional_t<std::is_same_v<Number, Bf16>, __nv_bfloat16, __half>;
template <class Number>
using CudaHalves = std::conditional_t<std::is_same_v<Number, Bf16>, __nv_bfloat162, __half2>;

template <class Number>
__device__ inline void increment_half(std::uint16_t* coordinate, std::uint32_t by) {
    const auto bits = static_cast<std::uint16_t>(by);
    CudaHalf<Number> number;
    memcpy(&number, &bits, sizeof(bits));
    atomicAdd(reinterpret_cast<CudaHalf<Number>*>(coordinate), number);
}

template <class Number>
__device__ inline void increment_eight(std::uint16_t* coordinates, uint4 by) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const std::size_t at = __cvta_generic_to_global(coordinates);
    if constexpr (std::is_same_v<Number, Bf16>) {
        asm volatile("red.relaxed.gpu.global.add.noftz.v4.bf16x2 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(by.x),
                     "r"(by.y), "r"(by.z), "r"(by.w)
                     : "memory");
    } else {
        asm volatile("red.relaxed.gpu.global.add.noftz.v4.f16x2 [%0], {%1, %2, %3, %4};" ::"l"(at), "r"(by.x),
                     "r"(by.y), "r"(by.z), "r"(by.w)
                     : "memory");
    }
#else
    const std::uint32_t words[4] = {by.x, by.y, by.z, by.w};
    for (unsigned k = 0; k < 4; ++k) {
        CudaHalves<Number> pair;
        memcpy(&pair, &words[k], sizeof(pair));
        atomicAdd(reinterpret_cast<CudaHalves<Number>*>(coordinates + 2 * k), pair);
    }
#endif
}

} // namespace hogwild::device
