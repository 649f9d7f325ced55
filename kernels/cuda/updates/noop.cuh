// Everything but the write: what the write costs. A guard that the compiler cannot see through keeps the increment alive.
#pragma once

#include "kernels/cuda/atomic.cuh"
#include "kernels/updates/noop.h"

namespace hogwild::device {

template <Scope S>
struct Noop {
    static constexpr std::string_view name = hogwild::Noop::name;

    __device__ static void add(float&, float by) { asm volatile("" : : "f"(by)); }
};

} // namespace hogwild::device
