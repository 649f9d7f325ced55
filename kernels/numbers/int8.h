// Numbers of 8 bits with a step of their own, and unbiased rounding to them.
//
//   k in -127 .. 127 stands for k step
//   rounded(x, d) = y or z, the neighbours of x with |y| <= |x| < |z|;   of d uniform, z with probability (x - y) / (z - y)
//
// so that its mean is x. That is exact where |x| >= step / 2, and below to 2^-24 of a step. What is beyond 127 steps,
// NaN too, becomes 127 of them, with its sign: a number saturates and never wraps. The step is a power of two, so that
// k step is a float, exactly.
// Sources: De Sa et al., "Taming the wild", NIPS 2015. De Sa et al., "Understanding and optimizing asynchronous
// low-precision stochastic gradient descent", ISCA 2017 (fixed-point models of 8 bits).
// Thread-safety: plain values.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace hogwild {

struct Int8 {
    using Bits = std::uint8_t;
    static constexpr int kDither = 24;
    static constexpr float kMost = 127;

    float step = 1;
    float per_step = 1; // its inverse

    /// The smallest step with which numbers reach `range`, above 0.
    static Int8 of_range(double range) {
        int exponent = 0;
        if (std::frexp(range / kMost, &exponent) == 0.5) --exponent; // a power of two itself
        return {std::ldexp(1.0f, exponent), std::ldexp(1.0f, -exponent)};
    }

    float widened(std::uint32_t bits) const { return static_cast<float>(static_cast<std::int8_t>(bits)) * step; }

    /// `dither`: 24 random bits.
    std::uint32_t rounded(float x, std::uint32_t dither) const {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const float steps = std::bit_cast<float>(bits & 0x7FFFFFFFu) * per_step;
        const float size = steps < kMost ? steps : kMost;
        const auto k = static_cast<std::int32_t>((static_cast<std::uint32_t>(size * 0x1p24f) + dither) >> 24);
        const std::int32_t sign = static_cast<std::int32_t>(bits) >> 31; // no branch, which nobody could foretell
        return static_cast<std::uint8_t>((k ^ sign) - sign);
    }
};

} // namespace hogwild
