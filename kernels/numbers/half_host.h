// Numbers of 16 bits by integer arithmetic, for CPUs: kernels/numbers/half.h takes these, or those of
// kernels/numbers/half_device.cuh where nvcc reads it.
#pragma once

#include <bit>
#include <cstdint>

namespace hogwild {

inline float fp16_widened(std::uint32_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16, rest = bits & 0x7FFFu;
    if (rest < 0x400u)
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(rest) * 0x1p-24f));
    const std::uint32_t exponent = rest >= 0x7C00u ? 255 - 31 : 127 - 15;
    return std::bit_cast<float>(sign | ((rest << 13) + (exponent << 23)));
}

/// The neighbour of x that is no farther from zero.
inline std::uint32_t fp16_towards_zero(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7FFFFFFFu;
    if (size > 0x7F800000u) return 0x7FFF;          // NaN
    if (size == 0x7F800000u) return sign | 0x7C00u; // infinity
    if (size >= (127u + 16) << 23) return sign | 0x7BFFu;
    if (size < (127u - 14) << 23) return sign | static_cast<std::uint32_t>(std::bit_cast<float>(size) * 0x1p24f);
    return sign | ((size - ((127u - 15) << 23)) >> 13);
}

} // namespace hogwild
