// Atomic increments on a GPU. Promises: no increment is lost, within the scope. Memory order: relaxed. Cost: one reduction
// in the second-level cache; the multiprocessor does not wait for it. Where rows are dense and wide, one vector reduction for
// four neighbours (atomic-v4): the same promise for each of them, a quarter of the instructions.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/memory/half_atomic.cuh"
#include "kernels/cuda/memory/quad.cuh"
#include "kernels/updates/atomic_add.h"

namespace hogwild::device {

template <Scope S>
struct AtomicAdd {
    static constexpr std::string_view name = hogwild::AtomicAdd::name;

    __device__ static void add(float& coordinate, float by) { increment<S>(coordinate, by); }
    __device__ static void add_four(float* coordinates, float4 by) { increment_four<S>(coordinates, by); }

    /// Numbers of 16 bits (kernels/cuda/memory/half_weights.cuh): it wants what they grow by.
    static constexpr bool kStores = false;
    template <class Number>
    __device__ static void add_half(std::uint16_t* coordinate, std::uint32_t by) {
        increment_half<Number>(coordinate, by);
    }
    template <class Number>
    __device__ static void add_eight(std::uint16_t* coordinates, uint4 by) {
        increment_eight<Number>(coordinates, by);
    }
};

} // namespace hogwild::device
