// Accesses to coordinates that other workers may read and write at the same time, from a GPU.
//
// Relaxed, as on the host (kernels/atomic.h): a coordinate carries only its own value. The scope says who the others
// are: threads of this GPU, or of the whole system, CPU threads included. Relaxed accesses go past the multiprocessor's
// own cache, so that workers see each other's increments.
// `increment` compiles to a reduction (RED), which asks for no answer; of device scope in device memory it is done by
// the second-level cache. With system scope it is one increment for CPU threads in two cases only. The system has
// atomics across the link, or the page lies on one side at a time (engine/memory/memory_kind.h).
#pragma once

#include "kernels/cuda/memory/scope.h"

#include <cuda/atomic>

namespace hogwild {

namespace device {

template <Scope S>
inline constexpr cuda::thread_scope kThreads =
    S == Scope::kDevice ? cuda::thread_scope_device : cuda::thread_scope_system;

template <Scope S>
__device__ inline float relaxed_load(const float& coordinate) {
    return cuda::atomic_ref<float, kThreads<S>>(const_cast<float&>(coordinate)).load(cuda::memory_order_relaxed);
}

template <Scope S>
__device__ inline void relaxed_store(float& coordinate, float value) {
    cuda::atomic_ref<float, kThreads<S>>(coordinate).store(value, cuda::memory_order_relaxed);
}

template <Scope S>
__device__ inline void increment(float& coordinate, float by) {
    __builtin_assume(__isGlobal(&coordinate)); // what the compiler cannot tell it asks, and waits for the answer
    if constexpr (S == Scope::kDevice) {
        atomicAdd(&coordinate, by);
    } else {
        atomicAdd_system(&coordinate, by);
    }
}

/// The value before.
template <Scope S>
__device__ inline float fetch_add(float& coordinate, float by) {
    __builtin_assume(__isGlobal(&coordinate));
    if constexpr (S == Scope::kDevice) {
        return atomicAdd(&coordinate, by);
    } else {
        return atomicAdd_system(&coordinate, by);
    }
}

} // namespace device
} // namespace hogwild
