// A tile of 128 rows and 64 columns of a matrix product by a squad of threads, as kernels/cuda/tile_sums.cuh has narrower ones.
//
// A thread has eight rows of four neighbouring columns, so that three loads of four floats from shared memory feed 32 fused
// multiply-adds: where a product has so many outputs, four times as fast as tiles whose threads have one column. Each output is one
// chain in the order of its terms.
#pragma once

#include "kernels/cuda/tile_sums.cuh"

namespace hogwild::device {

struct LargeTile {
    static constexpr unsigned kRows = 128, kColumns = 64, kTerms = 16; // of a piece
    static constexpr unsigned kRowStride = kRows + 4, kColumnStride = kColumns + 4;
    static constexpr unsigned kFactors = kRows * kTerms / kSquadThreads; // that a thread fetches of a piece
    static constexpr unsigned kEntries = kColumns * kTerms / kSquadThreads;
};

/// As sum_tile. Precondition: rows of factors and of what they multiply lie side by side.
template <class Finish>
__device__ __noinline__ void sum_large_tile(const PlainFactors factors, const TileRows rows, const TilePlace place,
                                            const Squad squad, TileMemory& memory, const Finish finish) {
    using Shape = LargeTile;
    static_assert(Shape::kTerms * Shape::kRowStride * sizeof(float) <= sizeof(TileMemory::factors[0]));
    static_assert(Shape::kTerms * Shape::kColumnStride * sizeof(float) <= sizeof(TileMemory::entries[0]));
    const unsigned thread = squad.thread;
    const unsigned down = thread / 16, across = thread % 16; // rows 4 down and 64 + 4 down on, columns 4 across on
    const unsigned row = thread % Shape::kRows, column = thread % Shape::kColumns;
    const unsigned row_term = thread / Shape::kRows, column_term = thread / Shape::kColumns;
    const auto key = factors.row_key(min(place.first_row + row, place.rows - 1));
    const std::uint32_t of = place.first_column + column;

    float next_factors[Shape::kFactors], next_entries[Shape::kEntries];
    const auto fetch = [&](std::uint32_t first) {
#pragma unroll
        for (unsigned i = 0; i < Shape::kFactors; ++i) {
            const std::uint32_t k = first + row_term + i * (kSquadThreads / Shape::kRows);
            next_factors[i] = k < place.terms ? factors.at(key, factors.term_key(k)) : 0.0f;
        }
#pragma unroll
        for (unsigned i = 0; i < Shape::kEntries; ++i) {
            const std::uint32_t k = first + column_term + i * (kSquadThreads / Shape::kColumns);
            next_entries[i] = k < place.terms && of < place.columns ? rows.at(k, of) : 0.0f;
        }
    };
    float sums[8][4] = {};
    fetch(0);
    unsigned side = 0;
    for (std::uint32_t first = 0; first < place.terms; first += Shape::kTerms, side ^= 1) {
        float* const of_rows = memory.factors[side];
        float* const of_columns = memory.entries[side];
#pragma unroll
        for (unsigned i = 0; i < Shape::kFactors; ++i)
            of_rows[(row_term + i * (kSquadThreads / Shape::kRows)) * Shape::kRowStride + row] = next_factors[i];
#pragma unroll
        for (unsigned i = 0; i < Shape::kEntries; ++i)
            of_columns[(column_term + i * (kSquadThreads / Shape::kColumns)) * Shape::kColumnStride + column] =
                next_entries[i];
        squad.sync(); // whoever still multiplies has the other side
        if (first + Shape::kTerms < place.terms) fetch(first + Shape::kTerms);
#pragma unroll 4
        for (unsigned k = 0; k < Shape::kTerms; ++k) {
            const float4 low = *reinterpret_cast<const float4*>(of_rows + k * Shape::kRowStride + 4 * down);
            const float4 high = *reinterpret_cast<const float4*>(of_rows + k * Shape::kRowStride + 64 + 4 * down);
            const float4 entry = *reinterpret_cast<const float4*>(of_columns + k * Shape::kColumnStride + 4 * across);
            const float factor[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
            for (unsigned r = 0; r < 8; ++r) {
                sums[r][0] = fmaf(factor[r], entry.x, sums[r][0]);
                sums[r][1] = fmaf(factor[r], entry.y, sums[r][1]);
                sums[r][2] = fmaf(factor[r], entry.z, sums[r][2]);
                sums[r][3] = fmaf(factor[r], entry.w, sums[r][3]);
            }
        }
    }
    squad.sync();
#pragma unroll
    for (unsigned r = 0; r < 8; ++r) {
        const std::uint32_t m = place.first_row + r / 4 * 64 + 4 * down + r % 4;
#pragma unroll
        for (unsigned c = 0; c < 4; ++c) {
            const std::uint32_t n = place.first_column + 4 * across + c;
            if (m < place.rows && n < place.columns) finish(m, n, sums[r][c]);
        }
    }
}

} // namespace hogwild::device
