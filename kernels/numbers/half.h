// Numbers of 16 bits, as their bits, and unbiased rounding to them.
//
//   rounded(x, d) = y or z, the neighbours of x with |y| <= |x| < |z|;   of d uniform, z with probability (x - y) / (z - y)
//
// so that its mean is x, to the last bit of a float. (Of an x below the smallest normal fp16, 2^-14, to 2^-13 of the distance
// between neighbours.) What is beyond the largest fp16, 65,504, becomes that; of bf16, which has a float's range, infinity and
// NaN stay what they are.
// Source: stochastic rounding as in Gupta et al., "Deep Learning with Limited Numerical Precision", ICML 2015.
// Thread-safety: plain values.
#pragma once

#include "kernels/annotate.h"

#include <bit>
#include <cstdint>

#if defined(__CUDACC__)
#include <cuda_fp16.h>
#endif

namespace hogwild {

struct Bf16 {
    using Bits = std::uint16_t;
    static constexpr int kDither = 16;

    HOGWILD_HOST_DEVICE static float widened(std::uint32_t bits) { return std::bit_cast<float>(bits << 16); }

    /// `dither`: 16 random bits.
    HOGWILD_HOST_DEVICE static std::uint32_t rounded(float x, std::uint32_t dither) {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const bool finite = (bits & 0x7F800000u) != 0x7F800000u;
        return (bits + (finite ? dither : 0)) >> 16;
    }
};

struct Fp16 {
    using Bits = std::uint16_t;
    static constexpr int kDither = 16;

    HOGWILD_HOST_DEVICE static float widened(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
        return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
#else
        const std::uint32_t sign = (bits & 0x8000u) << 16, rest = bits & 0x7FFFu;
        if (rest < 0x400u)
            return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(rest) * 0x1p-24f));
        const std::uint32_t exponent = rest >= 0x7C00u ? 255 - 31 : 127 - 15;
        return std::bit_cast<float>(sign | ((rest << 13) + (exponent << 23)));
#endif
    }

    /// Likewise; 13 of them are used, as many bits as a float has more.
    HOGWILD_HOST_DEVICE static std::uint32_t rounded(float x, std::uint32_t dither) {
        constexpr std::uint32_t kLeast = (127u - 14) << 23; // below it neighbours are as far apart as from it on
        const auto bits = std::bit_cast<std::uint32_t>(x);
        std::uint32_t exponent = bits & 0x7F800000u;
        if (exponent < kLeast) exponent = kLeast;
        const auto apart = std::bit_cast<float>(exponent - (10u << 23));
        const auto up = std::bit_cast<std::uint32_t>(static_cast<float>(dither >> 3) * 0x1p-13f * apart);
        return towards_zero(x + std::bit_cast<float>(up | (bits & 0x80000000u)));
    }

    /// The neighbour of x that is no farther from zero.
    HOGWILD_HOST_DEVICE static std::uint32_t towards_zero(float x) {
#if defined(__CUDA_ARCH__)
        return __half_as_ushort(__float2half_rz(x));
#else
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const std::uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7FFFFFFFu;
        if (size > 0x7F800000u) return 0x7FFF;          // NaN
        if (size == 0x7F800000u) return sign | 0x7C00u; // infinity
        if (size >= (127u + 16) << 23) return sign | 0x7BFFu;
        if (size < (127u - 14) << 23) return sign | static_cast<std::uint32_t>(std::bit_cast<float>(size) * 0x1p24f);
        return sign | ((size - ((127u - 15) << 23)) >> 13);
#endif
    }
};

/// Random bits for rounding: a thread's own sequence, a function of its seed.
class Dither {
public:
    HOGWILD_HOST_DEVICE explicit Dither(std::uint32_t seed) : state_(seed) {}

    static constexpr std::uint32_t kApart = 0x9E3779B9u;

    /// 32 of them.
    HOGWILD_HOST_DEVICE std::uint32_t operator()() {
        state_ += kApart;
        return mixed(state_);
    }

    /// The next word is that of mixed(state() + kApart), the one after it of kApart more; `skip` leaves out so many.
    HOGWILD_HOST_DEVICE std::uint32_t state() const { return state_; }
    HOGWILD_HOST_DEVICE void skip(std::uint32_t words) { state_ += words * kApart; }

    /// Wellons' lowbias32: nearby numbers to unlike ones.
    HOGWILD_HOST_DEVICE static std::uint32_t mixed(std::uint32_t x) {
        x = (x ^ (x >> 16)) * 0x7FEB352Du;
        x = (x ^ (x >> 15)) * 0x846CA68Bu;
        return x ^ (x >> 16);
    }

private:
    std::uint32_t state_;
};

} // namespace hogwild
