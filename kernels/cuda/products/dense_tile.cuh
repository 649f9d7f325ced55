// A tile of a dense layer's product by a squad of threads: out[m][n] = initial[n] + sum over k of left(m, k) x right(n, k).
//
// Each output is one chain of fused multiply-adds in the order of its terms, as on the host (kernels/lanes/dense.h). All threads
// bring terms. In small tiles only some warps multiply, so that each of their threads has several outputs. A load of four terms from
// shared memory takes a multiprocessor four cycles whether lanes read the same or not. It feeds 4 kRows or 4 kColumns
// multiply-adds. A warp's lanes are four rows by eight columns, of which no two meet in a bank. Pieces of terms lie in shared
// memory twice: while one is multiplied the next is on its way.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/products/dense_cut.h"
#include "kernels/cuda/products/squad.cuh"
#include "kernels/cuda/products/tile_cut.h"
#include "kernels/cuda/rows/warp_row.cuh"

#include <cstdint>
#include <tuple>

namespace hogwild::device {

/// One side of a product. Terms of a row lie side by side and rows `stride` floats apart; the other way round where rows lie
/// `kAcross`. Others may write them meanwhile where they are `kShared`. Where it `kEndsInOnes` the last row is of ones, and does
/// not lie there.
template <bool kAcross_, bool kShared, bool kEndsInOnes = false>
struct DenseSide {
    static constexpr bool kAcross = kAcross_;

    const float* first;
    std::uint32_t stride;
    std::uint32_t rows;

    static constexpr std::uint32_t kOnes = 0xFFFFFFFF; // the place of ones

    /// The place of a row's term number `term`.
    __device__ std::uint32_t place(std::uint32_t row, std::uint32_t term) const {
        if (kEndsInOnes && row + 1 == rows) return kOnes;
        return kAcross ? term * stride + row : row * stride + term;
    }
    /// What lies so many terms behind a place where something lies.
    __device__ float at(std::uint32_t place, std::uint32_t term) const {
        const float& value = first[place + (kAcross ? term * stride : term)];
        if constexpr (kShared) return relaxed_load<Scope::kSystem>(value);
        return value;
    }
};

/// Outputs of a thread; warps along a tile's rows and its columns, of those that multiply; terms of a piece.
template <unsigned kRows_, unsigned kColumns_, unsigned kDown_, unsigned kAcross_, unsigned kTerms_>
struct DenseTileShape {
    static constexpr unsigned kRows = kRows_, kColumns = kColumns_, kDown = kDown_, kAcross = kAcross_,
                              kTerms = kTerms_;
    static constexpr unsigned kRowStep = 4 * kDown, kColumnStep = 8 * kAcross;
    static constexpr unsigned kTileRows = kRows * kRowStep, kTileColumns = kColumns * kColumnStep;
    static constexpr unsigned kStride = kTerms + 4; // of a row in shared memory: eight rows lie in different banks
    static constexpr unsigned kFloats = (kTileRows + kTileColumns) * kStride;
    /// Groups of four terms whose loads wait together while those before are multiplied; 0: none are ahead, there are other warps.
    static constexpr unsigned kGroups = kRows * kColumns > 16  ? 0
                                        : kRows* kColumns >= 8 ? 1
                                        : kRows* kColumns > 1  ? 2
                                                               : 4;
    static_assert(kDown * kAcross * kWarp <= kSquadThreads);
    static_assert(2 * kFloats + 8 * kGroups <= kSquadFloats && kTileRows * (kTileColumns + 8) <= kSquadFloats);
};

template <DenseTile kTile>
using ShapeOf = std::tuple_element_t<
    static_cast<unsigned>(kTile),
    std::tuple<DenseTileShape<8, 4, 4, 2, 16>, DenseTileShape<4, 4, 4, 1, 64>, DenseTileShape<4, 4, 2, 1, 64>,
               DenseTileShape<4, 2, 2, 1, 128>, DenseTileShape<2, 2, 2, 1, 128>, DenseTileShape<1, 1, 2, 1, 128>>>;

/// What a thread brings of each piece of one side's rows.
template <class Side, unsigned kRows, unsigned kTerms>
class SidePieces {
public:
    /// Rows [first_row, first_row + kRows), the last one in place of those behind it.
    __device__ SidePieces(const Side& side, std::uint32_t first_row, unsigned thread) : thread_(thread) {
#pragma unroll
        for (unsigned i = 0; i < kPlaces; ++i)
            places_[i] = side.place(min(first_row + row_of(i * kEach), side.rows - 1), term_of(i * kEach));
    }

    /// The piece that begins with term number `first`; zeros behind the last term.
    __device__ void fetch(const Side& side, std::uint32_t first, std::uint32_t terms) {
#pragma unroll
        for (unsigned i = 0; i < kFloats; ++i) {
            const std::uint32_t place = places_[i / kEach];
            const bool is_term = first + term_of(i) < terms, lies = place != Side::kOnes;
            floats_[i] = is_term && lies ? side.at(place, first + i % kEach) : is_term ? 1.0f : 0.0f;
        }
    }

    __device__ void keep(float* rows, unsigned stride) const {
        if constexpr (Side::kAcross) {
#pragma unroll
            for (unsigned i = 0; i < kFloats; i += 4)
                *reinterpret_cast<float4*>(rows + row_of(i) * stride + term_of(i)) = {floats_[i], floats_[i + 1],
                                                                                      floats_[i + 2], floats_[i + 3]};
        } else {
#pragma unroll
            for (unsigned i = 0; i < kFloats; ++i) rows[row_of(i) * stride + term_of(i)] = floats_[i];
        }
    }

private:
    static constexpr unsigned kFloats = kRows * kTerms / kSquadThreads;
    static constexpr unsigned kEach = Side::kAcross ? 4 : 1; // neighbouring terms, from one place on
    static constexpr unsigned kPlaces = kFloats / kEach;
    static_assert(kFloats % 4 == 0 && kFloats > 0);

    /// Neighbours read neighbours: rows where those lie across, else terms.
    __device__ unsigned row_of(unsigned i) const {
        return Side::kAcross ? (thread_ + i / 4 * kSquadThreads) % kRows : (thread_ + i * kSquadThreads) / kTerms;
    }
    __device__ unsigned term_of(unsigned i) const {
        return Side::kAcross ? (thread_ + i / 4 * kSquadThreads) / kRows * 4 + i % 4 : thread_ % kTerms;
    }

    unsigned thread_;
    std::uint32_t places_[kPlaces];
    float floats_[kFloats];
};

/// Adds products of a piece's terms to a thread's sums, from where its first row and its first column lie in shared memory.
template <class Shape>
class TermLoop {
public:
    using Sums = float[Shape::kRows][Shape::kColumns];

    /// `terms` of them, zeros behind.
    __device__ static void run(const float* rows, const float* columns, unsigned terms, Sums& sums) {
        if constexpr (Shape::kGroups == 0) {
#pragma unroll 1
            for (unsigned k = 0; k < terms; k += 4) {
                Four four;
                four.load(rows, columns, k);
                four.multiply(sums);
            }
        } else {
            constexpr unsigned kStep = 4 * Shape::kGroups;
            static_assert(Shape::kTerms % (2 * kStep) == 0);
            Four now[Shape::kGroups], next[Shape::kGroups];
            load(now, rows, columns, 0);
#pragma unroll 1
            for (unsigned k = 0; k < terms; k += 2 * kStep) {
                load(next, rows, columns, k + kStep);
                multiply(now, sums);
                load(now, rows, columns, k + 2 * kStep); // of the last ones nobody makes use
                multiply(next, sums);
            }
        }
    }

private:
    struct Four {
        float4 row[Shape::kRows], column[Shape::kColumns];

        __device__ void load(const float* rows, const float* columns, unsigned k) {
#pragma unroll
            for (unsigned r = 0; r < Shape::kRows; ++r)
                row[r] = *reinterpret_cast<const float4*>(rows + r * Shape::kRowStep * Shape::kStride + k);
#pragma unroll
            for (unsigned c = 0; c < Shape::kColumns; ++c)
                column[c] = *reinterpret_cast<const float4*>(columns + c * Shape::kColumnStep * Shape::kStride + k);
        }
        __device__ void multiply(Sums& sums) const {
            along(sums, [](const float4& four) { return four.x; });
            along(sums, [](const float4& four) { return four.y; });
            along(sums, [](const float4& four) { return four.z; });
            along(sums, [](const float4& four) { return four.w; });
        }
        template <class Of>
        __device__ void along(Sums& sums, const Of& of) const {
#pragma unroll
            for (unsigned r = 0; r < Shape::kRows; ++r) {
#pragma unroll
                for (unsigned c = 0; c < Shape::kColumns; ++c) sums[r][c] = fmaf(of(row[r]), of(column[c]), sums[r][c]);
            }
        }
    };

    template <unsigned kCount>
    __device__ static void load(Four (&fours)[kCount], const float* rows, const float* columns, unsigned k) {
#pragma unroll
        for (unsigned g = 0; g < kCount; ++g) fours[g].load(rows, columns, k + 4 * g);
    }
    template <unsigned kCount>
    __device__ static void multiply(const Four (&fours)[kCount], Sums& sums) {
#pragma unroll
        for (unsigned g = 0; g < kCount; ++g) fours[g].multiply(sums);
    }
};

/// Where a tile begins, and how many terms its sums have.
struct DensePlace {
    std::uint32_t row, column, terms;
};

/// Calls finish(m, n, sum) for every output of the tile, each by one thread. `initial`: of each column, or null. By all threads of a
/// squad, with kSquadFloats of shared memory, of which nothing is left when it returns.
template <DenseTile kTile, class Left, class Right, class Finish>
__device__ __noinline__ void sum_dense_tile(const Left left, const Right right, const float* initial,
                                            const DensePlace place, const Squad squad, float* memory,
                                            const Finish finish) {
    using Shape = ShapeOf<kTile>;
    constexpr unsigned kStride = Shape::kStride, kTerms = Shape::kTerms;
    const unsigned warp = squad.thread / kWarp;
    const bool multiplies = warp < Shape::kDown * Shape::kAcross;
    const unsigned down = warp % Shape::kDown * 4 + lane() / 8,
                   across = warp / Shape::kDown % Shape::kAcross * 8 + lane() % 8;

    float sums[Shape::kRows][Shape::kColumns];
#pragma unroll
    for (unsigned c = 0; c < Shape::kColumns; ++c) {
        const std::uint32_t n = place.column + across + c * Shape::kColumnStep;
        const float begin = initial != nullptr && n < right.rows ? relaxed_load<Scope::kSystem>(initial[n]) : 0.0f;
#pragma unroll
        for (unsigned r = 0; r < Shape::kRows; ++r) sums[r][c] = begin;
    }

    SidePieces<Left, Shape::kTileRows, kTerms> of_left(left, place.row, squad.thread);
    SidePieces<Right, Shape::kTileColumns, kTerms> of_right(right, place.column, squad.thread);
    const auto fetch = [&](std::uint32_t first) {
        of_left.fetch(left, first, place.terms);
        of_right.fetch(right, first, place.terms);
    };
    fetch(0);
    float* piece = memory;
    for (std::uint32_t first = 0; first < place.terms; first += kTerms) {
        of_left.keep(piece, kStride);
        of_right.keep(piece + Shape::kTileRows * kStride, kStride);
        squad.sync(); // whoever still multiplies has the other piece
        if (first + kTerms < place.terms) fetch(first + kTerms);
        const float* const rows = piece + down * kStride;
        const float* const columns = piece + (Shape::kTileRows + across) * kStride;
        const unsigned some = multiplies ? min(kTerms, place.terms - first) : 0; // zeros follow
        TermLoop<Shape>::run(rows, columns, some, sums);
        piece = piece == memory ? memory + Shape::kFloats : memory;
    }
    squad.sync();
    // By shared memory to a loop over outputs: finish() is long, and would stand here as often as a thread has some.
    constexpr unsigned kLine = Shape::kTileColumns + 8; // a warp's four rows lie in different banks
    if (multiplies) {
#pragma unroll
        for (unsigned r = 0; r < Shape::kRows; ++r) {
#pragma unroll
            for (unsigned c = 0; c < Shape::kColumns; ++c)
                memory[(down + r * Shape::kRowStep) * kLine + across + c * Shape::kColumnStep] = sums[r][c];
        }
    }
    squad.sync();
    const unsigned outputs = min(Shape::kTileRows, left.rows - place.row) * Shape::kTileColumns;
#pragma unroll 1
    for (unsigned e = squad.thread; e < outputs; e += kSquadThreads) {
        const unsigned m = e / Shape::kTileColumns, n = e % Shape::kTileColumns;
        if (place.column + n < right.rows) finish(place.row + m, place.column + n, memory[m * kLine + n]);
    }
    squad.sync();
}

/// Tile number `tile` of the cut.
template <class Left, class Right, class Finish>
__device__ void sum_dense_tile(const DenseCut& cut, std::uint32_t tile, const Left& left, const Right& right,
                               const float* initial, std::uint32_t terms, const Squad& squad, float* memory,
                               const Finish& finish) {
    const DensePlace place{tile % cut.down * cut.rows, tile / cut.down * cut.columns, terms};
    const auto sum = [&]<DenseTile kTile>() {
        sum_dense_tile<kTile>(left, right, initial, place, squad, memory, finish);
    };
    switch (cut.tile) {
    case DenseTile::k128x64: return sum.template operator()<DenseTile::k128x64>();
    case DenseTile::k64x32: return sum.template operator()<DenseTile::k64x32>();
    case DenseTile::k32x32: return sum.template operator()<DenseTile::k32x32>();
    case DenseTile::k32x16: return sum.template operator()<DenseTile::k32x16>();
    case DenseTile::k16x16: return sum.template operator()<DenseTile::k16x16>();
    case DenseTile::k8x8: return sum.template operator()<DenseTile::k8x8>();
    }
}

} // namespace hogwild::device
