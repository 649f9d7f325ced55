// Ratings cut into tiles: ranges of users by ranges of items, so that the factors of a tile's users and items stay in a core's
// caches while its ratings are stepped through.
//
// Two levels. A large tile's factors fit in the second-level cache: about 8,192 users by 2,048 items, more where ratings are so
// sparse that a large tile would hold few. A small tile, one of side x side in its large tile, has about 512 ratings or more,
// and its factors fit in the first-level cache. Ranges of ids hold near-equal numbers of ratings, so hot users and items
// lie in narrow ones. Small tiles follow one another along diagonals: `side` neighbours share neither user nor item, which is
// what lets workers step on them side by side (engine/schemes/conflict_free.cpp).
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
    explicit RatingTiles(const RatingsView& data);

    /// The place of the rating's tile among all tiles, in the order in which they follow one another.
    std::uint64_t operator()(const Rating& rating) const {
        const std::uint32_t user = user_ranges_[rating.user], item = item_ranges_[rating.item];
        const std::uint64_t large = std::uint64_t{user / side_} * across_ + item / side_;
        const std::uint32_t diagonal = (item + side_ - user % side_) % side_;
        return (large * side_ + diagonal) * side_ + user % side_;
    }

    std::uint64_t count() const { return std::uint64_t{down_} * across_ * side_ * side_; }

    /// Ranges, of users and then of items, and the range of a group of coordinates (kernels/ratings_view.h).
    std::uint32_t ranges() const { return (down_ + across_) * side_; }
    std::vector<std::uint32_t> range_of_group() const;

private:
    std::uint32_t down_ = 1, across_ = 1; // large tiles
    std::uint32_t side_ = 1;              // small ones of a large one
    std::vector<std::uint32_t> user_ranges_, item_ranges_;
};

} // namespace hogwild
