// Eight neighbours of a row whose coordinates have 16 bits, as floats: 16 bytes of memory, as four floats are
// (kernels/cuda/rows/element.cuh).
#pragma once

#include <cstdint>

namespace hogwild::device {

struct Eight {
    float of[8];
};

struct EightFloats {
    using Values = Eight;
    static constexpr std::uint32_t kFloats = 8;

    __device__ static float times(const Eight& a, const Eight& b) {
        float sum = 0;
#pragma unroll
        for (unsigned k = 0; k < kFloats; ++k) sum += a.of[k] * b.of[k];
        return sum;
    }
    __device__ static Eight multiple(float factor, const Eight& values) {
        Eight product;
#pragma unroll
        for (unsigned k = 0; k < kFloats; ++k) product.of[k] = factor * values.of[k];
        return product;
    }
    __device__ static Eight sum(const Eight& a, const Eight& b) {
        Eight sums;
#pragma unroll
        for (unsigned k = 0; k < kFloats; ++k) sums.of[k] = a.of[k] + b.of[k];
        return sums;
    }

    template <class Weights>
    __device__ static Eight load(const Weights& weights, std::uint32_t j) {
        return weights.load_eight(j);
    }
    template <class Weights>
    __device__ static void add_to(const Weights& weights, std::uint32_t j, const Eight& read, const Eight& by) {
        weights.add_eight_to(j, read, by);
    }
};

} // namespace hogwild::device
