// Items into buckets, in place, each bucket's in the order in which they were.
//
// Read from the front, an item waits in its bucket's block; a whole block goes back over items that have been read. Then whole
// blocks are exchanged until each lies in its bucket, and make room for what still waits.
//
// Thread-safety: one caller for a span. Memory: a block of 256 items for each bucket. Source: the blocks of Axtmann, Witt,
// Ferizovic, Sanders, "In-Place Parallel Super Scalar Samplesort (IPS4o)", ESA 2017.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace hogwild {

/// `bucket_of(item, i)` of the item that was number i; bucket b holds items begins[b] to begins[b + 1], from 0 to all.
template <class Item, class BucketOf>
void distribute(std::span<Item> items, std::span<const std::uint64_t> begins, const BucketOf& bucket_of) {
    static_assert(std::is_trivially_copyable_v<Item>);
    constexpr std::size_t kBlock = 256;
    const std::size_t buckets = begins.size() - 1;
    std::vector<Item> waiting(buckets * kBlock);
    std::vector<std::size_t> waiting_in(buckets);
    std::vector<std::uint32_t> blocks; // whose each whole block is
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto bucket = static_cast<std::uint32_t>(bucket_of(std::as_const(items[i]), i));
        Item* const block = waiting.data() + bucket * kBlock;
        block[waiting_in[bucket]++] = items[i];
        if (waiting_in[bucket] < kBlock) continue;
        std::copy_n(block, kBlock, items.data() + blocks.size() * kBlock);
        blocks.push_back(bucket);
        waiting_in[bucket] = 0;
    }

    std::vector<std::size_t> ends(buckets + 1); // of each bucket's blocks, once all have found their places
    for (const std::uint32_t bucket : blocks) ++ends[bucket + 1];
    for (std::size_t b = 0; b < buckets; ++b) ends[b + 1] += ends[b];
    std::vector<std::size_t> places; // of the blocks
    for (const std::uint32_t bucket : blocks) places.push_back(ends[bucket]++);
    for (std::size_t k = 0; k < places.size(); ++k) {
        while (places[k] != k) {
            const std::size_t to = places[k];
            std::swap_ranges(items.data() + k * kBlock, items.data() + (k + 1) * kBlock, items.data() + to * kBlock);
            std::swap(places[k], places[to]);
        }
    }

    for (std::size_t b = buckets; b-- > 0;) { // the last first: all move back, if at all
        const std::size_t first = b == 0 ? 0 : ends[b - 1], whole = (ends[b] - first) * kBlock;
        Item* const to = items.data() + begins[b];
        if (whole != 0) std::memmove(to, items.data() + first * kBlock, whole * sizeof(Item));
        std::copy_n(waiting.data() + b * kBlock, waiting_in[b], to + whole);
    }
}

} // namespace hogwild
