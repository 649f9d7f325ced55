// Four neighbouring coordinates at a time, from a GPU: as four accesses of kernels/cuda/memory/atomic.cuh, of which each is atomic
// and the four together are not. Their address is a multiple of 16.
//
// A load is one instruction (LDG.E.128, strong), and so is a store. An increment is one vector reduction from compute
// capability 9.0 on (RED with four floats, no answer; ATOM where one is wanted), four before.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"

#include <cstddef>

namespace hogwild::device {

template <Scope S>
__device__ inline float4 relaxed_load_four(const float* coordinates) {
    const std::size_t at = __cvta_generic_to_global(coordinates);
    float4 values;
    if constexpr (S == Scope::kDevice) {
        asm volatile("ld.relaxed.gpu.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(values.x), "=f"(values.y), "=f"(values.z), "=f"(values.w)
                     : "l"(at)
                     : "memory");
    } else {
        asm volatile("ld.relaxed.sys.global.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(values.x), "=f"(values.y), "=f"(values.z), "=f"(values.w)
                     : "l"(at)
                     : "memory");
    }
    return values;
}

/// From the block's shared memory.
__device__ inline float4 load_four_of_block(const float* numbers) {
    const auto at = static_cast<unsigned>(__cvta_generic_to_shared(numbers));
    float4 values;
    asm volatile("ld.relaxed.cta.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(values.x), "=f"(values.y), "=f"(values.z), "=f"(values.w)
                 : "r"(at)
                 : "memory");
    return values;
}

template <Scope S>
__device__ inline void relaxed_store_four(float* coordinates, float4 values) {
    const std::size_t at = __cvta_generic_to_global(coordinates);
    if constexpr (S == Scope::kDevice) {
        asm volatile("st.relaxed.gpu.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(values.x), "f"(values.y),
                     "f"(values.z), "f"(values.w)
                     : "memory");
    } else {
        asm volatile("st.relaxed.sys.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(values.x), "f"(values.y),
                     "f"(values.z), "f"(values.w)
                     : "memory");
    }
}

template <Scope S>
__device__ inline void increment_four(float* coordinates, float4 by) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    const std::size_t at = __cvta_generic_to_global(coordinates);
    if constexpr (S == Scope::kDevice) {
        asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(by.x), "f"(by.y),
                     "f"(by.z), "f"(by.w)
                     : "memory");
    } else {
        asm volatile("red.relaxed.sys.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(by.x), "f"(by.y),
                     "f"(by.z), "f"(by.w)
                     : "memory");
    }
#else
    increment<S>(coordinates[0], by.x);
    increment<S>(coordinates[1], by.y);
    increment<S>(coordinates[2], by.z);
    increment<S>(coordinates[3], by.w);
#endif
}

/// The values before. Within this GPU.
__device__ inline float4 fetch_add_four(float* coordinates, float4 by) {
    float4 before;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("atom.relaxed.gpu.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"
                 : "=f"(before.x), "=f"(before.y), "=f"(before.z), "=f"(before.w)
                 : "l"(__cvta_generic_to_global(coordinates)), "f"(by.x), "f"(by.y), "f"(by.z), "f"(by.w)
                 : "memory");
#else
    before.x = fetch_add<Scope::kDevice>(coordinates[0], by.x);
    before.y = fetch_add<Scope::kDevice>(coordinates[1], by.y);
    before.z = fetch_add<Scope::kDevice>(coordinates[2], by.z);
    before.w = fetch_add<Scope::kDevice>(coordinates[3], by.w);
#endif
    return before;
}

} // namespace hogwild::device
