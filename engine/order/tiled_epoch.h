// One epoch through samples that are stored in tiles (kernels/views/sample_order.h).
//
// Rows and columns of the grid are permuted anew in each epoch, and so are its diagonals. An epoch goes through one diagonal after
// the other: the tiles (pi(i), sigma((i + d) mod side)) for i = 0, 1, ..., side - 1. So `side` tiles in a row touch nothing in
// common, and workers that take one after the other work side by side. A tile is entered at a random one of its samples. Everything
// follows from the seed and the epoch.
//
// Immutable after construction; any number of threads may read. Source: the strata of Gemulla et al., "Large-Scale Matrix
// Factorization with Distributed Stochastic Gradient Descent", KDD 2011.
#pragma once

#include "kernels/views/sample_order.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class TiledEpoch {
public:
    TiledEpoch(const SampleOrder& order, std::uint32_t epoch);

    struct Tile {
        std::uint32_t row = 0, column = 0; // in the grid
        std::uint32_t first = 0;           // position
        std::uint32_t count = 0;           // of samples
        std::uint32_t begin = 0;           // stored sample
        std::uint32_t turn = 0;            // at its first position, below count

        std::uint32_t end() const { return first + count; }
        std::uint32_t sample(std::uint32_t position) const {
            const std::uint32_t i = position - first + turn;
            return begin + (i < count ? i : i - count);
        }
    };

    /// The tile that holds a position, which is below the number of samples.
    Tile at(std::uint32_t position) const;

    /// visit(row, column, first, end) of every tile, in the epoch's order: its place in the grid, its positions.
    void for_each(const auto& visit) const {
        const std::uint32_t side = order_.tiles.side;
        for (std::size_t i = 0; i < tiles_.size(); ++i)
            visit(tiles_[i] / side, tiles_[i] % side, firsts_[i], firsts_[i + 1]);
    }

    /// out[i] = sample at position first + i * stride, i < count.
    void fill(std::uint32_t first, std::uint32_t stride, std::uint32_t count, std::uint32_t* out) const;

private:
    SampleOrder order_;
    std::uint32_t epoch_;
    std::vector<std::uint32_t> tiles_;  // in the epoch's order
    std::vector<std::uint32_t> firsts_; // positions; behind the last, how many there are
};

} // namespace hogwild
