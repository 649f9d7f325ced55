// e^x in float, the same bits on every compiler, instruction set and device.
//
// Standard libraries differ in the last bit, and with them every weight after the first step. Here: x = k ln2 + r with
// |r| <= ln2 / 2, a polynomial for e^r, and 2^k by its exponent bits. The relative error is below 2e-7 on [-87, 88].
// Outside, the argument is clamped (e^-87 = 1.6e-38, e^88 = 1.7e38). Callers form 1 + e^x or 1 / (1 + e^x), which
// saturate long before. NaN stays NaN. Choices are made on bits, so that compilers turn loops of it into vectors.
//
// Source: range reduction and coefficients as in Cephes' expf (Moshier, 1984).
#pragma once

#include "kernels/annotate.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace hogwild {

HOGWILD_HOST_DEVICE inline float exponential(float x) {
    constexpr std::uint32_t kSign = 0x80000000, kInfinity = 0x7F800000, kOne = 0x3F800000, kNan = 0x7FC00000;
    constexpr std::uint32_t kHalf = 0x3F000000, k88 = 0x42B00000, k87 = 0x42AE0000;
    const auto bits_of = [](float number) {
        std::uint32_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        return bits;
    };
    const auto float_of = [](std::uint32_t bits) {
        float number;
        std::memcpy(&number, &bits, sizeof number);
        return number;
    };
    const std::uint32_t sign = bits_of(x) & kSign, magnitude = bits_of(x) & ~kSign;
    const std::uint32_t most = sign != 0 ? k87 : k88; // floats of one sign are ordered as their bits; NaN is above all
    const float clamped = float_of(sign | (magnitude < most ? magnitude : most));
    const auto k = static_cast<std::int32_t>(clamped * 1.44269504f + float_of(sign | kHalf));
    const auto whole = static_cast<float>(k);
    const float r = (clamped - whole * 0.693359375f) - whole * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    const float e = (p * (r * r) + r) + 1.0f;
    const float power = float_of(static_cast<std::uint32_t>(k + 127) << 23);
    return e * power * float_of(magnitude > kInfinity ? kNan : kOne);
}

/// In double the library's: it evaluates and certifies, and decides no step but a plateau of the backoff protocol.
HOGWILD_HOST_DEVICE inline double exponential(double x) { return std::exp(x); }

} // namespace hogwild
