// A tile of a convolution's matrix product by a squad of threads: out[m][n] = initial[n] + sum over k of factor(m, k) x row(k)[n].
//
// A thread has one column of some rows, so that a warp's lanes read one factor together and neighbours of a row. Each output is one
// chain of fused multiply-adds in the order of its terms, as on the host (kernels/lanes/dense.h). Split tiles differ: their warps
// each have some of the terms, and add up in a fixed order. Pieces of terms lie in shared memory twice: while one is multiplied the
// next is on its way.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/products/squad.cuh"
#include "kernels/cuda/products/tile_cut.h"
#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild::device {

/// Where item m of up to three nested loops lies: m = (outer x planes + line) x lines + place.
struct Strides {
    std::uint32_t plane = 1, plane_stride = 1; // items of an outer index, and floats from one to the next
    std::uint32_t line = 1, line_stride = 0;   // divides plane
    std::uint32_t stride = 0;

    __device__ std::uint32_t operator()(std::uint32_t m) const {
        if (plane == 1) return m * plane_stride;
        const std::uint32_t outer = m / plane, within = m - outer * plane;
        const std::uint32_t middle = within / line;
        return outer * plane_stride + middle * line_stride + (within - middle * line) * stride;
    }
};

/// Factors that lie at first[row(m) + term(k)]; those of row number `ones` are 1.
struct PlainFactors {
    static constexpr std::uint32_t kOnes = 0xFFFFFFFF;

    const float* first;
    Strides row, term;
    std::uint32_t ones = kOnes;

    using RowKey = std::uint32_t;
    using TermKey = std::uint32_t;
    __device__ RowKey row_key(std::uint32_t m) const { return m == ones ? kOnes : row(m); }
    __device__ TermKey term_key(std::uint32_t k) const { return term(k); }
    __device__ float at(RowKey row_at, TermKey term_at) const {
        return row_at == kOnes ? 1.0f : first[row_at + term_at];
    }
};

/// Slopes along a convolution's outputs, as its inputs meet them. Row (sample, y, x) of the input has as its term (ky,
/// kx, n) the output n whose window has the input at (ky, kx). It is zero where there is none.
struct WindowFactors {
    const float* first;
    std::uint32_t sample_stride;
    MapShape in, out;
    std::uint32_t kernel, stride;

    struct RowKey {
        std::uint32_t sample, y, x;
    };
    using TermKey = RowKey; // channel, ky, kx
    __device__ RowKey row_key(std::uint32_t m) const {
        const std::uint32_t places = in.places(), sample = m / places, place = m - sample * places;
        const std::uint32_t y = place / in.width;
        return {sample * sample_stride, y, place - y * in.width};
    }
    __device__ TermKey term_key(std::uint32_t k) const {
        const std::uint32_t entry = k / out.channels, y = entry / kernel;
        return {k - entry * out.channels, y, entry - y * kernel};
    }
    __device__ float at(const RowKey& row, const TermKey& term) const {
        std::uint32_t y = row.y - term.y, x = row.x - term.x; // beyond every size where it would be below 0
        if (stride != 1) {
            if (y % stride != 0 || x % stride != 0) return 0;
            y /= stride;
            x /= stride;
        }
        if (y >= out.height || x >= out.width) return 0;
        return first[row.sample + (y * out.width + x) * out.channels + term.sample];
    }
};

/// What they multiply: entry n of row k lies at first[term(k) + n x column], where others may write it.
struct TileRows {
    const float* first;
    Strides term;
    std::uint32_t column = 1;

    __device__ float at(std::uint32_t k, std::uint32_t n) const {
        return relaxed_load<Scope::kSystem>(first[term(k) + n * column]);
    }
};

/// Columns of a tile, rows of each thread, terms of a piece, and warps that share a row's terms.
template <unsigned kColumns_, unsigned kRows_, unsigned kTerms_, unsigned kSplit_ = 1>
struct TileShape {
    static constexpr unsigned kColumns = kColumns_, kRows = kRows_, kSplit = kSplit_;
    static constexpr unsigned kGroups =
        kWarp / kColumns * (kSquadThreads / kWarp / kSplit); // that have rows of their own
    static constexpr unsigned kTileRows = kGroups * kRows;
    static constexpr unsigned kTerms = kTerms_;                              // of a piece
    static constexpr unsigned kRowStride = kTerms + 4;                       // rows of one warp lie in different banks
    static constexpr unsigned kTermStride = kColumns + 1;                    // columns of one warp do, too
    static constexpr unsigned kFactors = kTileRows * kTerms / kSquadThreads; // that a thread fetches of a piece
    static constexpr unsigned kEntries = kTerms * kColumns / kSquadThreads;
};

using WideTile = TileShape<32, 8, 64>;
using MiddleTile = TileShape<16, 4, 64>;
using ShortTile = TileShape<16, 2, 64>;
using NarrowTile = TileShape<8, 4, 32>;
using SplitTile = TileShape<8, 8, 128, 8>;

/// A squad's.
struct TileMemory {
    alignas(16) float factors[2][4608];
    float entries[2][2112];
    std::uint32_t rows[3 * 128];
};
static_assert(sizeof(TileMemory) == kSquadFloats * sizeof(float));

/// A product's size, and the tile of it that is asked for.
struct TilePlace {
    std::uint32_t rows, columns, terms;
    std::uint32_t first_row, first_column;
};

/// Calls finish(m, n, sum) for every output of the tile, each by one thread. `initial`: of each column, or null. By all threads of a
/// squad; nothing is left in `memory` when it returns.
template <class Shape, class Factors, class Finish>
__device__ __noinline__ void sum_tile(const Factors factors, const TileRows rows, const float* initial,
                                      const TilePlace place, const Squad squad, TileMemory& memory,
                                      const Finish finish) {
    constexpr unsigned kTerms = Shape::kTerms, kTileRows = Shape::kTileRows, kColumns = Shape::kColumns;
    static_assert(Shape::kSplit == 1 || Shape::kSplit == kSquadThreads / kWarp);
    static_assert(2 * sizeof(float) * kTileRows * Shape::kRowStride <= sizeof(TileMemory::factors));
    static_assert(2 * sizeof(float) * kTerms * Shape::kTermStride <= sizeof(TileMemory::entries));
    static_assert(kTileRows * sizeof(typename Factors::RowKey) <= sizeof(TileMemory::rows));
    const unsigned thread = squad.thread, warp = thread / kWarp;
    const unsigned column = lane() % kColumns;
    const unsigned group = warp / Shape::kSplit * (kWarp / kColumns) + lane() / kColumns;
    const unsigned slice = warp % Shape::kSplit;
    auto* const keys = reinterpret_cast<typename Factors::RowKey*>(memory.rows);
    for (unsigned r = thread; r < kTileRows; r += kSquadThreads)
        keys[r] = factors.row_key(min(place.first_row + r, place.rows - 1));
    squad.sync();

    const std::uint32_t n = place.first_column + column;
    float sums[Shape::kRows];
    const float begin =
        initial != nullptr && n < place.columns && slice == 0 ? relaxed_load<Scope::kSystem>(initial[n]) : 0.0f;
#pragma unroll
    for (float& sum : sums) sum = begin;

    float next_factors[Shape::kFactors], next_entries[Shape::kEntries];
    const auto fetch = [&](std::uint32_t first) {
        const std::uint32_t k = first + thread % kTerms;
        const auto key = factors.term_key(min(k, place.terms - 1));
#pragma unroll
        for (unsigned i = 0; i < Shape::kFactors; ++i) {
            const auto& row = keys[thread / kTerms + i * (kSquadThreads / kTerms)];
            next_factors[i] = k < place.terms ? factors.at(row, key) : 0.0f;
        }
#pragma unroll
        for (unsigned i = 0; i < Shape::kEntries; ++i) {
            const unsigned at = thread + i * kSquadThreads;
            const std::uint32_t term = first + (rows.column == 1 ? at / kColumns : at % kTerms);
            const std::uint32_t of = place.first_column + (rows.column == 1 ? at % kColumns : at / kTerms);
            next_entries[i] = term < place.terms && of < place.columns ? rows.at(term, of) : 0.0f;
        }
    };
    const auto keep = [&](unsigned side) {
#pragma unroll
        for (unsigned i = 0; i < Shape::kFactors; ++i) {
            const unsigned at = thread + i * kSquadThreads;
            memory.factors[side][at / kTerms * Shape::kRowStride + at % kTerms] = next_factors[i];
        }
#pragma unroll
        for (unsigned i = 0; i < Shape::kEntries; ++i) {
            const unsigned at = thread + i * kSquadThreads;
            const unsigned k = rows.column == 1 ? at / kColumns : at % kTerms;
            const unsigned of = rows.column == 1 ? at % kColumns : at / kTerms;
            memory.entries[side][k * Shape::kTermStride + of] = next_entries[i];
        }
    };

    fetch(0);
    unsigned side = 0;
    for (std::uint32_t first = 0; first < place.terms; first += kTerms, side ^= 1) {
        keep(side);
        squad.sync(); // whoever still multiplies has the other side
        if (first + kTerms < place.terms) fetch(first + kTerms);
        constexpr unsigned kSlice = kTerms / Shape::kSplit;
        const float* const of_group = memory.factors[side] + group * Shape::kRowStride + slice * kSlice;
        const float* const of_column = memory.entries[side] + slice * kSlice * Shape::kTermStride + column;
#pragma unroll 2
        for (unsigned k = 0; k < kSlice; k += 4) {
            float entry[4];
#pragma unroll
            for (unsigned i = 0; i < 4; ++i) entry[i] = of_column[(k + i) * Shape::kTermStride];
#pragma unroll
            for (unsigned r = 0; r < Shape::kRows; ++r) {
                const float4 four =
                    *reinterpret_cast<const float4*>(of_group + r * Shape::kGroups * Shape::kRowStride + k);
                sums[r] = fmaf(four.x, entry[0], sums[r]);
                sums[r] = fmaf(four.y, entry[1], sums[r]);
                sums[r] = fmaf(four.z, entry[2], sums[r]);
                sums[r] = fmaf(four.w, entry[3], sums[r]);
            }
        }
    }
    squad.sync();

    if constexpr (Shape::kSplit > 1) {
        float* const of_slices = memory.factors[0];
#pragma unroll
        for (unsigned r = 0; r < Shape::kRows; ++r) of_slices[(slice * Shape::kRows + r) * kWarp + lane()] = sums[r];
        squad.sync();
        if (slice == 0) {
            for (unsigned r = 0; r < Shape::kRows; ++r) {
                for (unsigned s = 1; s < Shape::kSplit; ++s)
                    sums[r] += of_slices[(s * Shape::kRows + r) * kWarp + lane()];
            }
        }
    }
    if (slice == 0 && n < place.columns) {
#pragma unroll
        for (unsigned r = 0; r < Shape::kRows; ++r) {
            const std::uint32_t m = place.first_row + group + r * Shape::kGroups;
            if (m < place.rows) finish(m, n, sums[r]);
        }
    }
    if constexpr (Shape::kSplit > 1) squad.sync();
}

} // namespace hogwild::device
