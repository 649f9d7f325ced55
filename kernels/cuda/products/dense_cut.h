// How the products of dense layers are cut into tiles (kernels/cuda/products/dense_tile.cuh). Readable by the host compiler.
//
// Which tiles a product gets the host chooses, for a whole batch: a choice among six takes longer than a tile of a small one.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

/// A tile's rows and columns.
enum class DenseTile : std::uint8_t { k128x64, k64x32, k32x32, k32x16, k16x16, k8x8 };
inline constexpr std::uint32_t kDenseTiles = 6;

/// Columns of the widest tile.
inline constexpr std::uint32_t kMostColumns = 64;

/// A product of so many rows and columns in such tiles.
struct DenseCut {
    DenseTile tile;
    std::uint32_t rows, columns; // of a tile
    std::uint32_t down, across;  // tiles

    HOGWILD_HOST_DEVICE DenseCut(DenseTile tile, std::uint32_t all_rows, std::uint32_t all_columns) : tile(tile) {
        // Powers of two, four bits each, the first tile's lowest.
        const std::uint32_t place = 4 * static_cast<std::uint32_t>(tile);
        const std::uint32_t rows_power = 0x345567u >> place & 15, columns_power = 0x344556u >> place & 15;
        rows = 1u << rows_power;
        columns = 1u << columns_power;
        down = (all_rows + rows - 1) >> rows_power;
        across = (all_columns + columns - 1) >> columns_power;
    }

    HOGWILD_HOST_DEVICE std::uint32_t tiles() const { return down * across; }
};

/// About how many cycles so many squads, two on a multiprocessor, take for sums of so many terms. Squads work in
/// rounds. A round gives each a tile: it waits for the first terms, makes the sums and adds them. The estimate is
/// within a fifth of what was measured on an H200 (DECISIONS.md).
inline std::uint64_t cost_of(const DenseCut& cut, std::uint32_t terms, std::uint32_t squads) {
    struct Cycles {
        std::uint32_t alone, pair; // for four terms: of one squad on a multiprocessor, of two with a tile each
    };
    constexpr Cycles kCycles[kDenseTiles] = {{672, 1075}, {272, 385}, {190, 190}, {130, 180}, {73, 110}, {51, 55}};
    constexpr std::uint32_t kLatency = 2'400;
    const Cycles& cycles = kCycles[static_cast<std::uint32_t>(cut.tile)];
    const bool pairs = cut.tiles() > (squads + 1) / 2;
    const std::uint64_t rounds = (cut.tiles() + squads - 1) / squads, outputs = std::uint64_t{cut.rows} * cut.columns;
    const std::uint64_t fours = (terms + 3) / 4;
    return rounds * (kLatency + fours * (pairs ? cycles.pair : cycles.alone) + outputs * (pairs ? 16 : 13) / 10);
}

/// The tiles of at least `least` columns, which are no more than kMostColumns, that cost least; of equals the largest.
inline DenseTile tile_of(std::uint32_t rows, std::uint32_t columns, std::uint32_t terms, std::uint32_t squads,
                         std::uint32_t least = 0) {
    DenseTile best{};
    std::uint64_t lowest = ~std::uint64_t{0};
    for (std::uint32_t k = 0; k < kDenseTiles; ++k) {
        const DenseCut cut(static_cast<DenseTile>(k), rows, columns);
        const std::uint64_t cost = cost_of(cut, terms, squads);
        if (cut.columns < least || cost >= lowest) continue;
        lowest = cost;
        best = cut.tile;
    }
    return best;
}

/// The products of a dense layer: outputs = inputs x weights, slopes along the inputs = slopes x weights^T,
/// gradient = inputs^T x slopes.
enum class DenseProduct : std::uint8_t { kOutputs, kSlopes, kGradient };

/// The tiles of a network's dense products.
class DenseTiles {
public:
    DenseTiles() = default;
    /// For steps on so many samples by so many squads. `whole`: the last layer's outputs are cut into whole rows.
    DenseTiles(const NetworkShape& network, std::uint32_t samples, std::uint32_t squads, bool whole) {
        for (std::uint32_t l = 0; l < network.count; ++l) {
            const Layer& layer = network.layers[l];
            if (layer.kind != LayerKind::kDense) continue;
            const std::uint32_t units = layer.out.channels, least = whole && l + 1 == network.count ? units : 0;
            put(l, DenseProduct::kOutputs, tile_of(samples, units, layer.depth, squads, least));
            put(l, DenseProduct::kSlopes, tile_of(samples, layer.depth, units, squads));
            put(l, DenseProduct::kGradient, tile_of(layer.rows(), units, samples, squads));
        }
    }

    /// How a product of so many samples is cut, if they are fewer than it was made for.
    HOGWILD_HOST_DEVICE DenseCut cut(const Layer& layer, std::uint32_t l, DenseProduct product,
                                     std::uint32_t samples) const {
        const auto tile = static_cast<DenseTile>(tiles_[l] >> place(product) & 15);
        switch (product) {
        case DenseProduct::kOutputs: return {tile, samples, layer.out.channels};
        case DenseProduct::kSlopes: return {tile, samples, layer.depth};
        case DenseProduct::kGradient: break;
        }
        return {tile, layer.rows(), layer.out.channels};
    }

private:
    HOGWILD_HOST_DEVICE static std::uint32_t place(DenseProduct product) {
        return 4 * static_cast<std::uint32_t>(product);
    }
    void put(std::uint32_t l, DenseProduct product, DenseTile tile) {
        tiles_[l] = static_cast<std::uint16_t>(tiles_[l] | static_cast<std::uint32_t>(tile) << place(product));
    }

    std::uint16_t tiles_[NetworkShape::kMostLayers] = {}; // four bits a product
};

} // namespace hogwild
