// Counters of random bits of made-up items. Pure functions.
#pragma once

#include "kernels/numbers/random.h"

#include <cstdint>

namespace hogwild {

/// Of number `block` of the bits that item number `item` has for one use; held-out items count from 2^63.
/// `Use`: an enumeration of std::uint32_t, whose values no other uses of the same seed have.
template <class Use>
PhiloxCounter counter_of(std::uint64_t item, bool held_out, Use use, std::uint32_t block) {
    const std::uint64_t number = item | (held_out ? std::uint64_t{1} << 63 : 0);
    return {block, static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32),
            static_cast<std::uint32_t>(use)};
}

} // namespace hogwild
