// Numbers of 16 bits, as their bits, and unbiased rounding to them.
//
//   rounded(x, d) = y or z, the neighbours of x with |y| <= |x| < |z|;   of d uniform, z with probability (x - y) / (z - y)
//
// so that its mean is x, to the last bit of a float. Below the smallest normal fp16, 2^-14, the mean is x to 2^-13 of
// the distance between neighbours. What is beyond the largest fp16, 65,504, becomes that. bf16 has a float's range: its
// infinity and NaN stay what they are.
// Source: stochastic rounding as in Gupta et al., "Deep Learning with Limited Numerical Precision", ICML 2015.
// Thread-safety: plain values.
#pragma once

#include "kernels/annotate.h"

#include <bit>
#include <cstdint>

#if defined(__CUDACC__)
#include "kernels/numbers/half_device.cuh"
#else
#include "kernels/numbers/half_host.h"
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

    HOGWILD_HOST_DEVICE static float widened(std::uint32_t bits) { return fp16_widened(bits); }

    /// `dither`: 16 random bits. 13 of them are used, as many bits as a float has more.
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
    HOGWILD_HOST_DEVICE static std::uint32_t towards_zero(float x) { return fp16_towards_zero(x); }
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
