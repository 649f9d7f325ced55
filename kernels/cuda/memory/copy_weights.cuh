// A worker's own copy of weights that others may write meanwhile.
#pragma once

#include "kernels/cuda/memory/quad.cuh"

#include <cstdint>

namespace hogwild::device {

/// By thread number `thread` of so many. Both begin at a multiple of 16 bytes.
__device__ inline void copy_weights(float* to, const float* weights, std::uint32_t count, std::uint32_t thread,
                                    std::uint32_t threads) {
    constexpr unsigned kAhead = 4; // loads of a thread that wait together
    const std::uint32_t quads = count / 4;
    for (std::uint32_t q = thread; q < quads; q += kAhead * threads) {
        float4 read[kAhead];
#pragma unroll
        for (unsigned i = 0; i < kAhead; ++i)
            read[i] = relaxed_load_four<Scope::kSystem>(weights + 4 * min(q + i * threads, quads - 1));
#pragma unroll
        for (unsigned i = 0; i < kAhead; ++i) {
            if (q + i * threads < quads) reinterpret_cast<float4*>(to)[q + i * threads] = read[i];
        }
    }
    for (std::uint32_t j = 4 * quads + thread; j < count; j += threads)
        to[j] = relaxed_load<Scope::kSystem>(weights[j]);
}

} // namespace hogwild::device
