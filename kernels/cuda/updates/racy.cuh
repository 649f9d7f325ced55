// HOGWILD!'s update on a GPU: relaxed load, add, relaxed store. Promises: no increment tears; of increments that overlap one
// may be lost, and with thousands of rows in flight on a small buffer most are. Cost: a round trip to the second-level
// cache.
#pragma once

#include "kernels/cuda/atomic.cuh"
#include "kernels/updates/racy.h"

namespace hogwild::device {

template <Scope S>
struct Racy {
    static constexpr std::string_view name = hogwild::Racy::name;

    __device__ static void add(float& coordinate, float by) {
        relaxed_store<S>(coordinate, relaxed_load<S>(coordinate) + by);
    }
};

} // namespace hogwild::device
