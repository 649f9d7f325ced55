#include "engine/data/shuffle.h"

#include "engine/data/gather.h"
#include "engine/data/graphs/disjoint_sixteens.h"
#include "engine/data/graphs/distribute.h"
#include "engine/data/graphs/edge_tiles.h"
#include "engine/data/permute.h"
#include "engine/data/ratings/ratings.h"
#include "engine/data/ratings/tiles.h"
#include "engine/machine/parallel.h"
#include "engine/memory/pages.h"
#include "kernels/numbers/permutation.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hogwild {

namespace {

constexpr std::uint64_t kSeed = 0x73687566; // fixed: a run's own seed orders the blocks

/// For samples that nothing says more about.
OwnedSamples permuted(const auto& from) {
    const auto rows = static_cast<std::uint32_t>(from.rows);
    const Permutation permutation(rows, kSeed, 0);
    return gathered(from, rows, permutation);
}

OwnedSamples shuffled(const SparseView& from) { return permuted(from); }
OwnedSamples shuffled(const ImagesView& from) { return permuted(from); }

/// Tile by tile, in random order within each: in random order, then by rows of the grid, then each row by its columns, in place.
OwnedSamples in_tiles(Dataset source) {
    std::shared_ptr<RatingsArray> array = own_ratings(std::move(source));
    const std::span<Rating> ratings = array->ratings.span();
    const std::uint32_t side = RatingsView::tile_side(ratings.size());
    const std::uint64_t tiles = std::uint64_t{side} * side;
    const RatingTiles tile(array->view(), side);
    std::vector<std::uint64_t> begins(tiles + 1);
    for (const Rating& rating : ratings) ++begins[tile.of(rating) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    permute(ratings, Permutation(static_cast<std::uint32_t>(ratings.size()), kSeed, 0));
    std::vector<std::uint64_t> rows;
    for (std::uint64_t i = 0; i <= tiles; i += side) rows.push_back(begins[i]);
    distribute(ratings, std::span<const std::uint64_t>(rows),
               [&](const Rating& rating, std::uint64_t) { return tile.row(rating); });
    parallel_for(side, 1, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            std::vector<std::uint64_t> columns;
            for (std::uint32_t j = 0; j <= side; ++j) columns.push_back(begins[i * side + j] - rows[i]);
            distribute(ratings.subspan(rows[i], rows[i + 1] - rows[i]), std::span<const std::uint64_t>(columns),
                       [&](const Rating& rating, std::uint64_t) { return tile.column(rating); });
        }
    });
    array->tiles = PageArray<std::uint32_t>(tiles + 1);
    std::ranges::copy(begins, array->tiles.data());
    if (array->user_rarities.size() == 0) array->count();
    RatingsView view = array->view();
    view.tiles = {array->tiles.data(), side};
    return {view, std::move(array)};
}

struct ApartEdges final : DatasetStorage {
    std::shared_ptr<const DatasetStorage> edges;
    PageArray<std::uint64_t> bits;
};

/// Tile by tile, in random order within each, neighbours apart: they are of few nodes, and of different ones.
OwnedSamples shuffled(const EdgesView& from) {
    const EdgeTiles tiles(from);
    std::vector<std::uint64_t> begins(tiles.count() + 1);
    for (std::uint64_t i = 0; i < from.rows; ++i) ++begins[tiles.of(from.edges[i]) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    const PageArray<std::uint32_t> stored(from.rows), numbers(from.rows);
    std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
    for (std::uint32_t i = 0; i < from.rows; ++i) stored[next[tiles.of(from.edges[i])]++] = i;
    parallel_for(tiles.count(), tiles.count() / 16 + 1, [&](std::uint64_t begin, std::uint64_t end) {
        std::vector<std::uint32_t> last_seen(from.free);
        for (std::uint64_t tile = begin; tile < end; ++tile) {
            const auto size = static_cast<std::uint32_t>(begins[tile + 1] - begins[tile]);
            const Permutation permutation(size, kSeed, static_cast<std::uint32_t>(tile));
            for (std::uint32_t k = 0; k < size; ++k) numbers[begins[tile] + k] = stored[begins[tile] + permutation(k)];
            spread(from, {numbers.data() + begins[tile], size}, begins[tile], last_seen);
        }
    });
    OwnedSamples own =
        gathered(from, static_cast<std::uint32_t>(from.rows), [&](std::uint32_t i) { return numbers[i]; });
    auto view = own.view.as<EdgesView>();
    auto storage = std::make_shared<ApartEdges>();
    storage->edges = std::move(own.storage);
    storage->bits = apart_bits(view);
    view.apart = storage->bits.data();
    view.apart_words = storage->bits.size();
    return {view, std::move(storage)};
}

} // namespace

Dataset shuffled(Dataset source) {
    const std::string name = source.name();
    const std::uint64_t hash = source.content_hash();
    OwnedSamples own = source.view().visit([&]<class View>(const View& view) {
        if constexpr (std::is_same_v<View, RatingsView>)
            return in_tiles(std::move(source));
        else if constexpr (View::kMovable)
            return shuffled(view);
        else
            return OwnedSamples{};
    });
    return {name, hash, own.view, std::move(own.storage)};
}

bool shuffles_in_place(const AnyView& samples) { return samples.is<RatingsView>(); }

} // namespace hogwild
