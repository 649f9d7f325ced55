// How the products of dense layers are cut into tiles (kernels/cuda/dense_tile.cuh). Readable by the host compiler.
#pragma once

#include "kernels/annotate.h"

#include <cstdint>

namespace hogwild {

/// A tile's rows and columns.
enum class DenseTile : std::uint8_t { k128x64, k64x32, k32x32, k32x16, k16x16, k8x8 };

struct DenseCut {
    DenseTile tile = DenseTile::k8x8;
    std::uint32_t rows = 8, columns = 8; // of a tile
    std::uint32_t alone = 51,
                  pair = 55; // cycles for four terms: of one squad on a multiprocessor, of two with a tile each
    std::uint32_t down = 0, across = 0;

    HOGWILD_HOST_DEVICE std::uint32_t tiles() const { return down * across; }

    /// Cycles, about, that so many squads, two of them on a multiprocessor, take for sums of so many terms: rounds in which each has a
    /// tile, until its first terms are there, its sums made and added. As measured on an H200 (DECISIONS.md), within a fifth.
    HOGWILD_HOST_DEVICE std::uint64_t cost(std::uint32_t terms, std::uint32_t squads) const {
        constexpr std::uint32_t kLatency = 2'400;
        const bool pairs = tiles() > (squads + 1) / 2;
        const std::uint64_t rounds = (tiles() + squads - 1) / squads, outputs = std::uint64_t{rows} * columns;
        const std::uint64_t fours = (terms + 3) / 4, each = pairs ? pair : alone;
        return rounds * (kLatency + fours * each + outputs * (pairs ? 16 : 13) / 10);
    }
};

/// Columns of the widest tile.
inline constexpr std::uint32_t kMostColumns = 64;

/// The tiles of at least `least` columns of which so many squads are done first; of equals the largest.
HOGWILD_HOST_DEVICE inline DenseCut cut_of_dense(std::uint32_t rows, std::uint32_t columns, std::uint32_t terms,
                                                 std::uint32_t squads, std::uint32_t least = 0) {
    const DenseCut kinds[] = {{DenseTile::k128x64, 128, 64, 672, 1075}, {DenseTile::k64x32, 64, 32, 272, 385},
                              {DenseTile::k32x32, 32, 32, 190, 190},    {DenseTile::k32x16, 32, 16, 130, 180},
                              {DenseTile::k16x16, 16, 16, 73, 110},     {DenseTile::k8x8, 8, 8, 51, 55}};
    DenseCut best;
    std::uint64_t lowest = ~std::uint64_t{0};
    for (DenseCut cut : kinds) {
        if (cut.columns < least) continue;
        cut.down = (rows + cut.rows - 1) / cut.rows;
        cut.across = (columns + cut.columns - 1) / cut.columns;
        const std::uint64_t cost = cut.cost(terms, squads);
        if (cost >= lowest) continue;
        lowest = cost;
        best = cut;
    }
    return best;
}

} // namespace hogwild
