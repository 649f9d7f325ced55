// Ratings cut into tiles, which are ranges of users by ranges of items. The factors of a tile's users and items stay in
// a core's caches while its ratings are stepped through. Tiles without a range in common can be stepped on side by
// side.
//
// The tiles of a grid, side x side (RatingsView::tile_side), are what an order goes through (engine/order/tiled_epoch.h). Ranges of
// ids hold near-equal numbers of ratings, so that hot users and items lie in narrow ones.
//
// Thread-safety: immutable once made; pure functions of the ratings. Source: Chin et al., "A Fast Parallel Stochastic Gradient
// Method for Matrix Factorization in Shared Memory Systems" (FPSGD), 2015, for grids of blocks.
#pragma once

#include "kernels/views/ratings_view.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class RatingTiles {
public:
    /// `side`: of the grid, from 1 up.
    RatingTiles(const RatingsView& data, std::uint32_t side);

    std::uint32_t side() const { return side_; }

    /// In the grid.
    std::uint32_t row(const Rating& rating) const { return user_ranges_[rating.user]; }
    std::uint32_t column(const Rating& rating) const { return item_ranges_[rating.item]; }

    /// The number of the rating's tile, row by row.
    std::uint64_t of(const Rating& rating) const { return std::uint64_t{row(rating)} * side_ + column(rating); }

private:
    std::uint32_t side_;
    std::vector<std::uint32_t> user_ranges_, item_ranges_;
};

} // namespace hogwild
