// Stores some coordinates of a cache line: those that a caller changes, so that what others add to its neighbours meanwhile is not
// overwritten.
//
// Thread-safety: relaxed stores, element by element.
#pragma once

#include "kernels/atomic.h"

#include <bit>
#include <cstdint>

namespace hogwild {

inline constexpr std::uint32_t kLineOfSome = 16; // coordinates

/// Those of the mask, a bit each, that lie below `size`; all of them at once where the mask is full.
template <class Lanes>
void store_some(float* line, const float* fresh, std::uint32_t mask, std::uint32_t size) {
    if (mask == (1u << kLineOfSome) - 1) return Lanes::store_row(line, fresh, size);
    for (mask &= (1u << size) - 1; mask != 0; mask &= mask - 1) {
        const int k = std::countr_zero(mask);
        relaxed_store(line[k], fresh[k]);
    }
}

} // namespace hogwild
