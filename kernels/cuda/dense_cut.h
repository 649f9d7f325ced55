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
    std::uint32_t cycles = 20; // of a multiprocessor for four terms of a tile: what its loads from shared memory take
    std::uint32_t down = 0, across = 0;

    HOGWILD_HOST_DEVICE std::uint32_t tiles() const { return down * across; }

    /// Cycles, about, of so many squads, two of them on a multiprocessor, for sums of so many terms.
    HOGWILD_HOST_DEVICE std::uint64_t cost(std::uint32_t terms, std::uint32_t squads) const {
        constexpr std::uint32_t kLatency = 2'500; // of a tile: until its first terms are there, its sums added
        const std::uint32_t processors = (squads + 1) / 2, outputs = rows * columns;
        const std::uint64_t rounds = (tiles() + squads - 1) / squads, each = (tiles() + processors - 1) / processors;
        return rounds * kLatency + each * (std::uint64_t{(terms + 3) / 4} * cycles + outputs * 3 / 10);
    }
};

/// Columns of the widest tile.
inline constexpr std::uint32_t kMostColumns = 64;

/// The tiles of at least `least` columns of which so many squads are done first; of equals the largest.
HOGWILD_HOST_DEVICE inline DenseCut cut_of_dense(std::uint32_t rows, std::uint32_t columns, std::uint32_t terms,
                                                 std::uint32_t squads, std::uint32_t least = 0) {
    const DenseCut kinds[] = {{DenseTile::k128x64, 128, 64, 384}, {DenseTile::k64x32, 64, 32, 128},
                              {DenseTile::k32x32, 32, 32, 64},    {DenseTile::k32x16, 32, 16, 48},
                              {DenseTile::k16x16, 16, 16, 34},    {DenseTile::k8x8, 8, 8, 20}};
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
