// How the products of dense layers are cut into tiles (kernels/cuda/dense_tile.cuh). Readable by the host compiler.
#pragma once

#include "kernels/annotate.h"

#include <cstdint>

namespace hogwild {

/// A tile's rows and columns.
enum class DenseTile : std::uint8_t { k128x64, k64x32, k32x32, k32x16, k16x16 };

struct DenseCut {
    DenseTile tile = DenseTile::k16x16;
    std::uint32_t rows = 16, columns = 16; // of a tile
    std::uint32_t cost = 18; // cycles of a multiprocessor for four terms, bound by issue or by shared memory
    std::uint32_t down = 0, across = 0;

    HOGWILD_HOST_DEVICE std::uint32_t tiles() const { return down * across; }
};

/// The tiles of which so many squads, two of them on a multiprocessor, are done first; of equals the largest.
HOGWILD_HOST_DEVICE inline DenseCut cut_of_dense(std::uint32_t rows, std::uint32_t columns, std::uint32_t squads) {
    const DenseCut kinds[] = {{DenseTile::k128x64, 128, 64, 280},
                              {DenseTile::k64x32, 64, 32, 76},
                              {DenseTile::k32x32, 32, 32, 40},
                              {DenseTile::k32x16, 32, 16, 24},
                              {DenseTile::k16x16, 16, 16, 18}};
    const std::uint32_t processors = (squads + 1) / 2;
    DenseCut best;
    std::uint64_t least = ~std::uint64_t{0};
    for (DenseCut cut : kinds) {
        cut.down = (rows + cut.rows - 1) / cut.rows;
        cut.across = (columns + cut.columns - 1) / cut.columns;
        const std::uint64_t cost = std::uint64_t{(cut.tiles() + processors - 1) / processors} * cut.cost;
        if (cost >= least) continue;
        least = cost;
        best = cut;
    }
    return best;
}

} // namespace hogwild
