// Items in another order, in place.
//
// Thread-safety: one caller. Memory: a bit an item.
#pragma once

#include "kernels/views/prefetch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

/// items[i] becomes what items[order(i)] was; `order` is one-to-one on [0, items.size()), which is below 2^32.
///
/// Follows the cycles of the order in sixteen places at a time, so that they wait for memory together. A walker fills
/// its place from the next one and goes there. Where it sets out it takes the item away, for the walker that will
/// arrive there.
template <class Item, class Order>
void permute(std::span<Item> items, const Order& order) {
    constexpr std::size_t kWalkers = 16;
    struct Start {
        std::uint32_t place;
        Item item;
    };
    Start starts[kWalkers]; // where nobody has arrived yet: as many as walkers
    std::uint32_t at[kWalkers], next[kWalkers];
    std::size_t walkers = 0;
    std::vector<std::uint64_t> taken(items.size() / 64 + 1); // places whose item has been taken
    const auto is_taken = [&](std::uint32_t place) { return (taken[place / 64] >> (place % 64) & 1) != 0; };
    const auto take = [&](std::uint32_t place) {
        taken[place / 64] |= std::uint64_t{1} << (place % 64);
        return items[place];
    };
    std::uint32_t fresh = 0; // no place before it can be set out from
    const auto set_out = [&](std::size_t walker, Start& start) {
        while (fresh < items.size() && is_taken(fresh)) ++fresh;
        if (fresh == items.size()) return false;
        start = {fresh, take(fresh)};
        at[walker] = fresh;
        return true;
    };
    while (walkers < kWalkers && set_out(walkers, starts[walkers])) ++walkers;
    while (walkers > 0) {
        for (std::size_t w = 0; w < walkers; ++w) {
            next[w] = order(at[w]);
            prefetch_to_read(&items[next[w]]);
        }
        for (std::size_t w = 0; w < walkers;) {
            if (!is_taken(next[w])) {
                items[at[w]] = take(next[w]);
                at[w] = next[w];
                ++w;
                continue;
            }
            Start* const start = std::find_if(starts, starts + walkers, [&](auto& s) { return s.place == next[w]; });
            items[at[w]] = start->item;
            if (set_out(w, *start)) {
                ++w;
                continue;
            }
            --walkers; // the last one and the last start take what is free
            at[w] = at[walkers];
            next[w] = next[walkers];
            *start = starts[walkers];
        }
    }
}

} // namespace hogwild
