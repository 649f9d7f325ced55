// A tile of eight columns of a matrix product whose factors are read where they are: windows of maps, few columns wide.
//
// One thread alone uses a factor of a convolution with few filters: it has the factor's row in all eight columns.
// Neighbours in a map are read again and again, from the first-level cache. So only what factors multiply is brought
// into shared memory, a piece of terms at a time. Each output is one chain of fused multiply-adds in the order of its
// terms.
#pragma once

#include "kernels/cuda/products/tile_sums.cuh"

namespace hogwild::device {

/// As sum_tile, of a tile of kRows x 256 rows.
template <unsigned kRows, class Factors, class Finish>
__device__ __noinline__ void sum_direct_tile(const Factors factors, const TileRows rows, const float* initial,
                                             const TilePlace place, const Squad squad, TileMemory& memory,
                                             const Finish finish) {
    constexpr unsigned kTerms = 256, kColumns = 8;
    using TermKey = typename Factors::TermKey;
    static_assert(kTerms * kColumns * sizeof(float) <= sizeof(TileMemory::factors[0]));
    static_assert(kTerms * sizeof(TermKey) <= sizeof(TileMemory::entries[0]));
    float* const entries = memory.factors[0];
    auto* const keys = reinterpret_cast<TermKey*>(memory.entries[0]);
    typename Factors::RowKey row[kRows];
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r)
        row[r] = factors.row_key(min(place.first_row + r * kSquadThreads + squad.thread, place.rows - 1));
    float sums[kRows][kColumns];
#pragma unroll
    for (unsigned c = 0; c < kColumns; ++c) {
        const std::uint32_t n = place.first_column + c;
        const float begin = initial != nullptr && n < place.columns ? relaxed_load<Scope::kSystem>(initial[n]) : 0.0f;
#pragma unroll
        for (unsigned r = 0; r < kRows; ++r) sums[r][c] = begin;
    }
    for (std::uint32_t first = 0; first < place.terms; first += kTerms) {
        const std::uint32_t count = min(kTerms, place.terms - first);
        squad.sync(); // nobody multiplies the piece before any more
        for (unsigned k = squad.thread; k < count; k += kSquadThreads) keys[k] = factors.term_key(first + k);
        for (unsigned e = squad.thread; e < count * kColumns; e += kSquadThreads) {
            const std::uint32_t n = place.first_column + e % kColumns;
            entries[e] = n < place.columns ? rows.at(first + e / kColumns, n) : 0.0f;
        }
        squad.sync();
#pragma unroll 4
        for (unsigned k = 0; k < count; ++k) {
            const TermKey key = keys[k];
            const float4 low = *reinterpret_cast<const float4*>(entries + k * kColumns);
            const float4 high = *reinterpret_cast<const float4*>(entries + k * kColumns + 4);
#pragma unroll
            for (unsigned r = 0; r < kRows; ++r) {
                const float factor = factors.at(row[r], key);
                sums[r][0] = fmaf(factor, low.x, sums[r][0]);
                sums[r][1] = fmaf(factor, low.y, sums[r][1]);
                sums[r][2] = fmaf(factor, low.z, sums[r][2]);
                sums[r][3] = fmaf(factor, low.w, sums[r][3]);
                sums[r][4] = fmaf(factor, high.x, sums[r][4]);
                sums[r][5] = fmaf(factor, high.y, sums[r][5]);
                sums[r][6] = fmaf(factor, high.z, sums[r][6]);
                sums[r][7] = fmaf(factor, high.w, sums[r][7]);
            }
        }
    }
    squad.sync();
#pragma unroll
    for (unsigned r = 0; r < kRows; ++r) {
        const std::uint32_t m = place.first_row + r * kSquadThreads + squad.thread;
#pragma unroll
        for (unsigned c = 0; c < kColumns; ++c) {
            const std::uint32_t n = place.first_column + c;
            if (m < place.rows && n < place.columns) finish(m, n, sums[r][c]);
        }
    }
}

} // namespace hogwild::device
