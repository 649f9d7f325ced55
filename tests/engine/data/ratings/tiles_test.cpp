#include "engine/data/ratings/tiles.h"

#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <vector>

using namespace hogwild;

namespace {

/// The first ids far more often than the last.
TestRatings skewed(std::uint32_t rows, std::uint32_t users, std::uint32_t items) {
    TestRatings ratings = random_ratings(rows, users, items, {}, 7);
    for (Rating& rating : ratings.ratings) {
        rating.user = static_cast<std::uint32_t>(std::uint64_t{rating.user} * rating.user / users);
        rating.item = static_cast<std::uint32_t>(std::uint64_t{rating.item} * rating.item / items);
    }
    return ratings;
}

} // namespace

TEST_CASE("rows of tiles are ranges of users, columns ranges of items, and hold near-equal numbers of ratings") {
    const TestRatings ratings = skewed(400'000, 20'000, 5'000);
    const RatingTiles tiles(ratings.view(), 8);
    REQUIRE(tiles.side() == 8);
    std::vector<std::uint32_t> row_of(20'000, ~0u), column_of(5'000, ~0u);
    std::vector<std::uint32_t> rows(8), columns(8);
    for (const Rating& rating : ratings.ratings) {
        const std::uint64_t tile = tiles.of(rating);
        REQUIRE(tile < 64);
        const auto row = static_cast<std::uint32_t>(tile / 8), column = static_cast<std::uint32_t>(tile % 8);
        CHECK((row_of[rating.user] == ~0u || row_of[rating.user] == row)); // a user's ratings are in one row
        CHECK((column_of[rating.item] == ~0u || column_of[rating.item] == column));
        row_of[rating.user] = row;
        column_of[rating.item] = column;
        ++rows[row];
        ++columns[column];
    }
    std::uint32_t before = 0;
    for (const std::uint32_t row : row_of) {
        if (row == ~0u) continue;
        CHECK(row >= before); // ranges of ids
        before = row;
    }
    for (std::uint32_t i = 0; i < 8; ++i) {
        CHECK(rows[i] > 40'000);
        CHECK(rows[i] < 60'000);
        CHECK(columns[i] > 40'000);
        CHECK(columns[i] < 60'000);
    }
}
