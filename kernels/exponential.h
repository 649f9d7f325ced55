// e^x in float, the same bits on every compiler, instruction set and device.
//
// Standard libraries differ in the last bit, and with them every weight after the first step. Here: x = k ln2 + r with
// |r| <= ln2 / 2, a polynomial for e^r, and 2^k by its exponent bits. Relative error below 2e-7 on [-87, 88]; outside the
// argument is clamped (e^-87 = 1.6e-38, e^88 = 1.7e38): callers form 1 + e^x or 1 / (1 + e^x), which saturate long before.
// NaN stays NaN.
//
// Source: range reduction and coefficients as in Cephes' expf (Moshier, 1984).
#pragma once

#include "kernels/annotate.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace hogwild {

HOGWILD_HOST_DEVICE inline float exponential(float x) {
    if (x != x) return x;
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    const float shifted = x * 1.44269504f;
    const auto k = static_cast<std::int32_t>(shifted < 0.0f ? shifted - 0.5f : shifted + 0.5f);
    const auto whole = static_cast<float>(k);
    const float r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    const float e = (p * (r * r) + r) + 1.0f;
    const std::uint32_t bits = static_cast<std::uint32_t>(k + 127) << 23;
    float power;
    std::memcpy(&power, &bits, sizeof power);
    return e * power;
}

/// In double the library's: it evaluates and certifies, and decides no step but a plateau of the backoff protocol.
HOGWILD_HOST_DEVICE inline double exponential(double x) { return std::exp(x); }

} // namespace hogwild
