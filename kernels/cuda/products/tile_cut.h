// How a convolution's matrix product is cut into tiles (kernels/cuda/products/tile_sums.cuh, direct_tile.cuh). Readable by the host
// compiler.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

/// Floats of a squad's memory.
inline constexpr std::uint32_t kSquadFloats = 13'824;

/// Tiles of a product: their kind, and how many lie below and beside each other.
struct TileCut {
    enum class Kind : std::uint8_t { kWide, kMiddle, kShort, kNarrow, kSplit, kDirect, kDirect2, kDirect4 };

    Kind kind = Kind::kWide;
    std::uint32_t down = 0, across = 0;

    HOGWILD_HOST_DEVICE std::uint32_t tiles() const { return down * across; }
    HOGWILD_HOST_DEVICE std::uint32_t tile_rows() const {
        switch (kind) {
        case Kind::kNarrow: return 128;
        case Kind::kShort:
        case Kind::kSplit: return 32;
        case Kind::kDirect: return 256;
        case Kind::kDirect2: return 512;
        case Kind::kDirect4: return 1024;
        case Kind::kWide:
        case Kind::kMiddle: break;
        }
        return 64;
    }
    HOGWILD_HOST_DEVICE std::uint32_t tile_columns() const {
        switch (kind) {
        case Kind::kWide: return 32;
        case Kind::kMiddle:
        case Kind::kShort: return 16;
        case Kind::kNarrow:
        case Kind::kSplit:
        case Kind::kDirect:
        case Kind::kDirect2:
        case Kind::kDirect4: break;
        }
        return 8;
    }
};

HOGWILD_HOST_DEVICE inline TileCut cut_of(TileCut::Kind kind, std::uint32_t rows, std::uint32_t columns) {
    TileCut cut{kind};
    cut.down = (rows + cut.tile_rows() - 1) / cut.tile_rows();
    cut.across = (columns + cut.tile_columns() - 1) / cut.tile_columns();
    return cut;
}

/// The largest tiles that give every one of so many squads one, but no wider than the product; else the smallest.
HOGWILD_HOST_DEVICE inline TileCut cut_of(std::uint32_t rows, std::uint32_t columns, std::uint32_t squads) {
    if (columns <= 8) return cut_of(TileCut::Kind::kNarrow, rows, columns);
    const TileCut wide = cut_of(TileCut::Kind::kWide, rows, columns);
    if (columns > 16 && wide.tiles() >= squads) return wide;
    const TileCut middle = cut_of(TileCut::Kind::kMiddle, rows, columns);
    return middle.tiles() >= squads ? middle : cut_of(TileCut::Kind::kShort, rows, columns);
}

/// A product of windows, whose rows share few columns: where there are enough, tiles that read them where they are.
HOGWILD_HOST_DEVICE inline TileCut cut_of_windows(std::uint32_t rows, std::uint32_t columns, std::uint32_t squads) {
    const TileCut four = cut_of(TileCut::Kind::kDirect4, rows, columns);
    if (four.tiles() >= 2 * squads) return four;
    const TileCut two = cut_of(TileCut::Kind::kDirect2, rows, columns);
    if (two.tiles() >= squads) return two;
    const TileCut one = cut_of(TileCut::Kind::kDirect, rows, columns);
    return one.tiles() >= squads ? one : cut_of(rows, columns, squads);
}

/// A convolution's gradient, whose terms are many, and whose rows may be few.
HOGWILD_HOST_DEVICE inline TileCut cut_of_gradient(const Layer& layer) {
    const std::uint32_t rows = layer.rows(), columns = layer.out.channels;
    return rows <= 32 && columns <= 8 ? cut_of(TileCut::Kind::kSplit, rows, columns) : cut_of(rows, columns, 1);
}

} // namespace hogwild
