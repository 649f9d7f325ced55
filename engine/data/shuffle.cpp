#include "engine/data/shuffle.h"

#include "engine/data/ratings.h"
#include "engine/data/sparse_arrays.h"
#include "engine/machine/parallel.h"
#include "kernels/permutation.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hogwild {

namespace {

constexpr std::uint64_t kSeed = 0x73687566; // fixed: a run's own seed orders the blocks

/// A view, and what owns its memory.
struct Owned {
    AnyView view;
    std::shared_ptr<const DatasetStorage> storage;
};

Owned shuffled(const SparseView& from) {
    constexpr std::uint64_t kGrain = 4096;
    auto arrays = std::make_shared<SparseArrays>(from.rows, from.nonzeros(), from.columns);
    const Permutation permutation(static_cast<std::uint32_t>(from.rows), kSeed, 0);
    for (std::uint64_t i = 0; i < from.rows; ++i) {
        arrays->offsets[i + 1] = arrays->offsets[i] + from.row(permutation(static_cast<std::uint32_t>(i))).size;
    }
    parallel_for(from.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const SparseRow row = from.row(permutation(static_cast<std::uint32_t>(i)));
            std::copy_n(row.index, row.size, arrays->indices.data() + arrays->offsets[i]);
            std::copy_n(row.value, row.size, arrays->values.data() + arrays->offsets[i]);
            arrays->labels[i] = row.label;
        }
    });
    const SparseView view = arrays->view();
    return {view, std::move(arrays)};
}

/// Tile by tile, in random order within each: neighbours are of few users and few items.
Owned shuffled(const RatingsView& from) {
    constexpr std::uint64_t kFewest = 1024; // ratings of a tile, on average
    const auto parts = [](std::uint64_t all, std::uint64_t each) { return (all + each - 1) / each; };
    std::uint64_t edge = 512; // users, and items, of a tile: their factors stay in a core's own cache
    while (edge < from.groups() && parts(from.users, edge) * parts(from.items, edge) > from.rows / kFewest) edge *= 2;
    const std::uint64_t across = parts(from.items, edge), tiles = across * parts(from.users, edge);
    const auto tile = [&](const Rating& rating) { return rating.user / edge * across + rating.item / edge; };
    std::vector<std::uint64_t> next(tiles + 1);
    for (std::uint64_t i = 0; i < from.rows; ++i) ++next[tile(from.ratings[i]) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    auto array = std::make_shared<RatingsArray>();
    array->ratings = PageArray<Rating>(from.rows);
    const Permutation permutation(static_cast<std::uint32_t>(from.rows), kSeed, 0);
    for (std::uint64_t i = 0; i < from.rows; ++i) {
        const Rating& rating = from.ratings[permutation(static_cast<std::uint32_t>(i))];
        array->ratings[next[tile(rating)]++] = rating;
    }
    RatingsView view = from;
    view.ratings = array->ratings.data();
    return {view, std::move(array)};
}

} // namespace

Dataset shuffled(const Dataset& source) {
    Owned own = source.view().visit([]<class View>(const View& view) {
        if constexpr (View::kMovable)
            return shuffled(view);
        else
            return Owned{};
    });
    return {source.name(), source.content_hash(), own.view, std::move(own.storage)};
}

} // namespace hogwild
