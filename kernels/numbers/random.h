// Counter-based random numbers: Philox4x32-10. No state, so order and data are the same for any number of workers.
//
//   philox(counter, key): ten rounds of two 32x32->64 bit multiplications; 128 random bits a call.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Word for word equal to
// Random123 and cuRAND.
#pragma once

#include "kernels/annotate.h"

#include <array>
#include <cstdint>

namespace hogwild {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

HOGWILD_HOST_DEVICE constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xD2511F53} * counter[0];
        const std::uint64_t second = std::uint64_t{0xCD9E8D57} * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
        key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
    }
    return counter;
}

/// The key of a seed: both words of it.
HOGWILD_HOST_DEVICE constexpr PhiloxKey philox_key(std::uint64_t seed) {
    return {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
}

__extension__ using Uint128 = unsigned __int128;

/// Maps 64 random bits to [0, bound) by multiplication; the bias is below bound / 2^64.
HOGWILD_HOST_DEVICE constexpr std::uint64_t below(std::uint64_t bound, std::uint64_t bits) {
    return static_cast<std::uint64_t>((static_cast<Uint128>(bits) * bound) >> 64);
}

/// A number in [0, 1) with 24 bits: exact in float.
HOGWILD_HOST_DEVICE constexpr float unit_float(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

/// A number in [0, 1) with 53 bits: exact in double.
HOGWILD_HOST_DEVICE constexpr double unit_double(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

} // namespace hogwild
