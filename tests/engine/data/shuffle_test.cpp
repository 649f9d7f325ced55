#include "engine/data/shuffle.h"

#include "engine/data/graphs/edge_tiles.h"
#include "engine/data/ratings/tiles.h"
#include "engine/machine/parallel.h"
#include "kernels/numbers/permutation.h"
#include "tests/engine/data/samples.h"
#include "tests/engine/toys/toy_ratings_samples.h"
#include "tests/engine/toys/toy_samples.h"
#include "tests/random_graph.h"
#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

/// Bigger than one piece of the parallel copy. Every label is its row's number, so no two rows are the same.
Dataset numbered(std::uint32_t rows, std::uint32_t mean) {
    TestSamples samples = random_samples(rows, 20, mean, 3);
    for (std::uint32_t i = 0; i < rows; ++i) samples.labels[i] = static_cast<float>(i);
    return toy_dataset(std::move(samples));
}

/// All of a sample's bytes.
std::string bytes(const SparseRow& row) {
    std::string text(sizeof(float) + row.size * (sizeof(std::uint32_t) + sizeof(float)), '\0');
    char* out = text.data();
    std::memcpy(out, &row.label, sizeof(float));
    std::memcpy(out + sizeof(float), row.index, row.size * sizeof(std::uint32_t));
    std::memcpy(out + sizeof(float) + row.size * sizeof(std::uint32_t), row.value, row.size * sizeof(float));
    return text;
}

std::vector<std::string> samples_of(const SparseView& view) {
    std::vector<std::string> samples;
    for (std::uint64_t i = 0; i < view.rows; ++i) samples.push_back(bytes(view.row(i)));
    return samples;
}

} // namespace

TEST_CASE("shuffled samples are the same samples, each once and whole, in another order") {
    for (const std::uint32_t rows : {1u, 2u, 4'096u, 9'000u}) {
        const Dataset source = numbered(rows, 3);
        const Dataset result = shuffled(source);
        CHECK(broken_promise(result.sparse()) == "");
        CHECK(result.sparse().columns == source.sparse().columns);
        CHECK(result.view().nonzeros() == source.view().nonzeros());
        CHECK(result.name() == source.name());
        CHECK(result.content_hash() == source.content_hash());
        std::vector<std::string> before = samples_of(source.sparse()), after = samples_of(result.sparse());
        if (rows > 2) CHECK(before != after);
        std::ranges::sort(before);
        std::ranges::sort(after);
        CHECK(before == after);
    }
}

TEST_CASE("a shuffle has the same bits at any number of threads") {
    const Dataset source = numbered(9'000, 3);
    const unsigned before = parallelism();
    set_parallelism(1);
    const Dataset alone = shuffled(source);
    for (const unsigned threads : {2u, 4u}) {
        set_parallelism(threads);
        CHECK(difference(shuffled(source).sparse(), alone.sparse()) == "");
    }
    set_parallelism(before);
}

TEST_CASE("the order of a shuffle depends on the number of rows alone") {
    const Dataset narrow = shuffled(numbered(5'000, 1)), wide = shuffled(numbered(5'000, 6));
    REQUIRE(narrow.view().nonzeros() != wide.view().nonzeros());
    CHECK(std::equal(narrow.sparse().labels, narrow.sparse().labels + 5'000, wide.sparse().labels));
}

TEST_CASE("shuffled ratings are the same ratings, tile by tile, in another order within") {
    TestRatings ratings = random_ratings(200'000, 5'000, 3'000, {}, 6);
    for (std::uint32_t i = 0; i < ratings.ratings.size(); ++i)
        ratings.ratings[i].value = static_cast<float>(i); // all different
    const Dataset source("ratings", 1, ratings.view(), nullptr);
    const Dataset result = shuffled(source);
    const auto view = result.view().as<RatingsView>();
    CHECK(view.users == 5'000);
    CHECK(view.items == 3'000);
    REQUIRE(view.rows == 200'000);
    std::vector<bool> seen(view.rows);
    const RatingTiles tile(source.view().as<RatingsView>(), view.tiles.side);
    REQUIRE(view.tiles.side == 16);
    std::uint64_t ascents = 0;
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const auto number = static_cast<std::uint32_t>(view.ratings[i].value);
        CHECK(std::memcmp(&view.ratings[i], &ratings.ratings[number], sizeof(Rating)) == 0);
        CHECK_FALSE(seen[number]);
        seen[number] = true;
        if (i == 0) continue;
        ascents += view.ratings[i].value > view.ratings[i - 1].value;
        const std::uint64_t place = tile.of(view.ratings[i]);
        CHECK(i >= view.tiles.begins[place]);
        CHECK(i < view.tiles.begins[place + 1]);
    }
    CHECK(std::abs(static_cast<double>(ascents) - 1e5) < 5 * 130); // random within: deviation sqrt(n / 12)
}

TEST_CASE("ratings that are given away are brought into tiles where they lie, in the order that all of a tile's come "
          "in one shuffle") {
    const std::uint32_t rows = 300'000;
    const TestRatings ratings = random_ratings(rows, 4'000, 900, {.mean = 2}, 6);
    const Dataset shared = counted_dataset(ratings);
    Dataset given = counted_dataset(ratings);
    const RatingTiles tile(ratings.view(), RatingsView::tile_side(rows));
    const Permutation order(rows, 0x73687566, 0); // the shuffle's own
    std::vector<Rating> expected;
    for (std::uint32_t i = 0; i < rows; ++i) expected.push_back(ratings.ratings[order(i)]);
    std::ranges::stable_sort(expected, {}, [&](const Rating& rating) { return tile.of(rating); });
    const std::uint64_t before = Pages::held();
    Pages::watch();
    const Dataset moved = shuffled(std::move(given));
    const std::uint64_t tiles = sizeof(std::uint32_t) * (tile.side() * tile.side() + 1);
    CHECK(Pages::most_held() == before + tiles);
    const Dataset copied = shuffled(shared);
    CHECK(Pages::held() == before + tiles + rows * sizeof(Rating) + 4 * 4'900 + tiles); // with its rarities
    for (const Dataset* data : {&moved, &copied}) {
        const auto& view = data->view().as<RatingsView>();
        REQUIRE(view.rows == rows);
        CHECK(std::memcmp(view.ratings, expected.data(), rows * sizeof(Rating)) == 0);
        CHECK(view.model.mean == 2);
        CHECK(std::equal(view.user_rarities.of, view.user_rarities.of + 4'000,
                         shared.view().as<RatingsView>().user_rarities.of));
    }
    CHECK(std::memcmp(shared.view().as<RatingsView>().ratings, ratings.ratings.data(), rows * sizeof(Rating)) == 0);
}

TEST_CASE("shuffled edges are the same edges, tile by tile, in another order within") {
    TestGraph graph = random_graph(100'000, 30'000, 2, 6);
    for (std::uint32_t i = 0; i < graph.edges.size(); ++i)
        graph.edges[i].weight = static_cast<float>(i); // all different
    graph.known = {{3, 1}, {4, 0}};
    const Dataset source("graph", 1, graph.view(), nullptr);
    const Dataset result = shuffled(source);
    const auto view = result.view().as<EdgesView>();
    const EdgeTiles tiles(view);
    CHECK(tiles.count() > 20);
    CHECK(tiles.count() * EdgeTiles::kFewest <= view.rows);
    CHECK(view.free == 30'000);
    CHECK(view.mean == graph.view().mean);
    CHECK(view.known_count == 2);
    CHECK(view.known[1].node == 4);
    REQUIRE(view.rows == 100'000);
    std::uint64_t sixteens = 0;
    for (std::uint32_t first = 0; first + 16 <= view.rows; first += 16) sixteens += view.are_apart(first);
    CHECK(sixteens > 0.9 * 100'000 / 16);
    std::vector<char> seen(view.rows);
    std::uint64_t ascents = 0;
    for (std::uint64_t i = 0; i < view.rows; ++i) {
        const auto number = static_cast<std::uint32_t>(view.edges[i].weight);
        CHECK(std::memcmp(&view.edges[i], &graph.edges[number], sizeof(WeightedEdge)) == 0);
        seen[number] = 1;
        if (i == 0) continue;
        CHECK(tiles.of(view.edges[i - 1]) <= tiles.of(view.edges[i]));
        ascents += view.edges[i].weight > view.edges[i - 1].weight;
    }
    CHECK(std::ranges::count(seen, 1) == 100'000);
    CHECK(ascents > 40'000); // half of them, were the order within tiles random
    CHECK(ascents < 60'000);
}
