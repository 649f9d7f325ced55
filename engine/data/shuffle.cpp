#include "engine/data/shuffle.h"

#include "engine/data/gather.h"
#include "engine/data/ratings.h"
#include "engine/data/tiles.h"
#include "kernels/permutation.h"

#include <numeric>
#include <vector>

namespace hogwild {

namespace {

constexpr std::uint64_t kSeed = 0x73687566; // fixed: a run's own seed orders the blocks

OwnedSamples shuffled(const SparseView& from) {
    const auto rows = static_cast<std::uint32_t>(from.rows);
    const Permutation permutation(rows, kSeed, 0);
    return gathered(from, rows, permutation);
}

/// Tile by tile, part by part, in random order within each.
OwnedSamples shuffled(const RatingsView& from) {
    const std::uint32_t side = RatingsView::tile_side(from.rows);
    const RatingTiles part(from, side);
    const std::uint64_t tiles = std::uint64_t{side} * side;
    std::vector<std::uint32_t> next(tiles * part.parts() + 1);
    for (std::uint64_t i = 0; i < from.rows; ++i) ++next[part(from.ratings[i]) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    auto array = std::make_shared<RatingsArray>();
    array->ratings = PageArray<Rating>(from.rows);
    array->tiles = PageArray<std::uint32_t>(tiles + 1);
    for (std::uint64_t tile = 0; tile <= tiles; ++tile) array->tiles[tile] = next[tile * part.parts()];
    const Permutation permutation(static_cast<std::uint32_t>(from.rows), kSeed, 0);
    for (std::uint64_t i = 0; i < from.rows; ++i) {
        const Rating& rating = from.ratings[permutation(static_cast<std::uint32_t>(i))];
        array->ratings[next[part(rating)]++] = rating;
    }
    RatingsView view = from;
    view.ratings = array->ratings.data();
    view.tiles = {array->tiles.data(), side};
    return {view, std::move(array)};
}

} // namespace

Dataset shuffled(const Dataset& source) {
    OwnedSamples own = source.view().visit([]<class View>(const View& view) {
        if constexpr (View::kMovable)
            return shuffled(view);
        else
            return OwnedSamples{};
    });
    return {source.name(), source.content_hash(), own.view, std::move(own.storage)};
}

} // namespace hogwild
