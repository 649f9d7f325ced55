// Draws from a fixed distribution over 0, 1, ..., size - 1 in constant time: a table of slots, each of which gives itself or
// one other. Probabilities are rounded to 2^-32 of a slot. Tables are made by engine/data/synthetic/alias_table.h.
// Source: Walker 1977, Vose 1991 (the alias method). Thread-safety: plain values.
#pragma once

#include "kernels/annotate.h"

#include <cstdint>

namespace hogwild {

struct AliasSlot {
    std::uint32_t threshold; // of 2^32: below it the slot's own number is drawn
    std::uint32_t alias;
};

/// `slot` and `coin` are 32 random bits each.
HOGWILD_HOST_DEVICE inline std::uint32_t draw(const AliasSlot* slots, std::uint32_t size, std::uint32_t slot,
                                              std::uint32_t coin) {
    const auto chosen = static_cast<std::uint32_t>((std::uint64_t{slot} * size) >> 32);
    return coin < slots[chosen].threshold ? chosen : slots[chosen].alias;
}

} // namespace hogwild
