// The parameter buffer in numbers of 16 bits as a warp sees it: read as floats, and rounded without bias when a step adds.
//
//   racy     stores rounded(w + d), of the w that the step has read
//   atomic   adds rounded(rounded(w + d) - w)
//
// The difference of two neighbours is a multiple of their spacing. So the sum is exact where nobody else writes and w +
// d has no larger spacing than w. Where somebody writes, the hardware rounds the sum to the nearest. Scope: the device;
// such a buffer lies in the GPU's own memory.
#pragma once

#include "kernels/cuda/memory/eight_floats.cuh"
#include "kernels/cuda/memory/half_atomic.cuh"
#include "kernels/cuda/pass.h"

#include <cstdint>

namespace hogwild::device {

template <class Number, class Update>
class HalfWeights {
public:
    static constexpr bool kCopies = false;

    __device__ explicit HalfWeights(const PassFrame& pass)
        : weights_(static_cast<std::uint16_t*>(pass.weights)), dither_(seed(pass)) {}

    __device__ void stepped(std::uint32_t) const {}
    __device__ float load(std::uint32_t j) const { return Number::widened(relaxed_load_half(weights_ + j)); }

    /// Coordinates j to j + 7; j is a multiple of 8.
    __device__ Eight load_eight(std::uint32_t j) const {
        const uint4 bits = relaxed_load_eight(weights_ + j);
        const std::uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
        Eight values;
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) {
            values.of[2 * k] = Number::widened(words[k] & 0xFFFF);
            values.of[2 * k + 1] = Number::widened(words[k] >> 16);
        }
        return values;
    }

    /// `read`: what the step has read there.
    __device__ void add_to(std::uint32_t j, float read, float by) const {
        const std::uint32_t dither = dither_();
        const std::uint32_t to = Number::rounded(read + by, dither & 0xFFFF);
        if constexpr (Update::kStores)
            Update::store_half(weights_ + j, to);
        else
            Update::template add_half<Number>(weights_ + j, Number::rounded(Number::widened(to) - read, dither >> 16));
    }

    __device__ void add_eight_to(std::uint32_t j, const Eight& read, const Eight& by) const {
        std::uint32_t words[4];
#pragma unroll
        for (unsigned k = 0; k < 4; ++k)
            words[k] = moved(read.of[2 * k], by.of[2 * k], read.of[2 * k + 1], by.of[2 * k + 1]);
        const uint4 bits{words[0], words[1], words[2], words[3]};
        if constexpr (Update::kStores)
            Update::store_eight(weights_ + j, bits);
        else
            Update::template add_eight<Number>(weights_ + j, bits);
    }

private:
    /// What two coordinates become, or, of a policy that adds, grow by.
    __device__ std::uint32_t moved(float a, float by_a, float b, float by_b) const {
        const std::uint32_t dither = dither_();
        const std::uint32_t to_a = Number::rounded(a + by_a, dither & 0xFFFF),
                            to_b = Number::rounded(b + by_b, dither >> 16);
        if constexpr (Update::kStores) return to_a | to_b << 16;
        const std::uint32_t again = dither_();
        return Number::rounded(Number::widened(to_a) - a, again & 0xFFFF) |
               Number::rounded(Number::widened(to_b) - b, again >> 16) << 16;
    }

    /// It depends on the run, the launch and the thread.
    __device__ static std::uint32_t seed(const PassFrame& pass) {
        const std::uint32_t launch =
            Dither::mixed(Dither::mixed(pass.epoch) ^ pass.first) ^ static_cast<std::uint32_t>(pass.order.seed);
        return Dither::mixed(Dither::mixed(launch) ^ (blockIdx.x * blockDim.x + threadIdx.x));
    }

    std::uint16_t* weights_;
    mutable Dither dither_;
};

} // namespace hogwild::device
