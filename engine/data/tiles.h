// Ratings cut into tiles: ranges of users by ranges of items, so that the factors of a tile's users and items stay in a core's
// caches while its ratings are stepped through, and tiles without a range in common can be stepped on side by side.
//
// Two levels. The tiles of a grid, side x side (RatingsView::tile_side), are what an order goes through (engine/tiled_epoch.h). Within
// each lie parts of 512 ratings or more, whose factors fit in a first-level cache, one after the other. Ranges of ids hold near-equal
// numbers of ratings, so that hot users and items lie in narrow ones.
//
// Thread-safety: immutable once made; pure functions of the ratings. Source: Chin et al., "A Fast Parallel Stochastic Gradient Method
// for Matrix Factorization in Shared Memory Systems" (FPSGD), 2015, for grids of blocks.
#pragma once

#include "kernels/ratings_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class RatingTiles {
public:
    /// `side`: of the grid, from 1 up.
    RatingTiles(const RatingsView& data, std::uint32_t side);

    std::uint32_t side() const { return side_; }

    /// Of each tile.
    std::uint32_t parts() const { return across_ * across_; }

    /// The place of the rating's part among all parts, tile after tile.
    std::uint64_t operator()(const Rating& rating) const {
        const std::uint32_t user = user_ranges_[rating.user], item = item_ranges_[rating.item];
        const std::uint64_t tile = std::uint64_t{user / across_} * side_ + item / across_;
        return (tile * across_ + user % across_) * across_ + item % across_;
    }

private:
    std::uint32_t side_;
    std::uint32_t across_ = 1; // parts
    std::vector<std::uint32_t> user_ranges_, item_ranges_;
};

} // namespace hogwild
