// HOGWILD!'s update on a GPU: relaxed load, add, relaxed store. Promises: no increment tears; of increments that overlap one
// may be lost, and with thousands of rows in flight on a small buffer most are. Cost: a round trip to the second-level
// cache.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/memory/half_atomic.cuh"
#include "kernels/cuda/memory/quad.cuh"
#include "kernels/updates/racy.h"

namespace hogwild::device {

template <Scope S>
struct Racy {
    static constexpr std::string_view name = hogwild::Racy::name;

    __device__ static void add(float& coordinate, float by) {
        relaxed_store<S>(coordinate, relaxed_load<S>(coordinate) + by);
    }

    __device__ static void add_four(float* coordinates, float4 by) {
        add_four_to(coordinates, relaxed_load_four<S>(coordinates), by);
    }

    /// To what the step has read.
    __device__ static void add_to(float& coordinate, float read, float by) { relaxed_store<S>(coordinate, read + by); }
    __device__ static void add_four_to(float* coordinates, float4 read, float4 by) {
        relaxed_store_four<S>(coordinates, {read.x + by.x, read.y + by.y, read.z + by.z, read.w + by.w});
    }

    /// Numbers of 16 bits (kernels/cuda/memory/half_weights.cuh): it wants what they become.
    static constexpr bool kStores = true;
    __device__ static void store_half(std::uint16_t* coordinate, std::uint32_t to) {
        relaxed_store_half(coordinate, to);
    }
    __device__ static void store_eight(std::uint16_t* coordinates, uint4 to) { relaxed_store_eight(coordinates, to); }
};

} // namespace hogwild::device
