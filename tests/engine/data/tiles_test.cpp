#include "engine/data/tiles.h"

#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace hogwild;

namespace {

/// One of every pair of ids, the first ids far more often.
TestRatings skewed(std::uint32_t rows, std::uint32_t users, std::uint32_t items) {
    TestRatings ratings = random_ratings(rows, users, items, {}, 7);
    for (Rating& rating : ratings.ratings) {
        rating.user = static_cast<std::uint32_t>(std::uint64_t{rating.user} * rating.user / users);
        rating.item = static_cast<std::uint32_t>(std::uint64_t{rating.item} * rating.item / items);
    }
    return ratings;
}

} // namespace

TEST_CASE("a tile is a range of users and a range of items, and ranges hold near-equal numbers of ratings") {
    const TestRatings ratings = skewed(400'000, 20'000, 5'000);
    const RatingTiles tiles(ratings.view());
    const std::vector<std::uint32_t> range = tiles.range_of_group();
    REQUIRE(range.size() == 25'000);
    CHECK(std::is_sorted(range.begin(), range.begin() + 20'000)); // ranges of ids
    CHECK(std::is_sorted(range.begin() + 20'000, range.end()));
    CHECK(range[19'999] < range[20'000]);
    CHECK(range.back() < tiles.ranges());
    std::vector<std::set<std::uint32_t>> of_tile(tiles.count());
    std::vector<std::uint64_t> counts(tiles.ranges());
    for (const Rating& rating : ratings.ratings) {
        const std::uint64_t tile = tiles(rating);
        REQUIRE(tile < tiles.count());
        of_tile[tile].insert(range[rating.user]);
        of_tile[tile].insert(range[20'000 + rating.item]);
        ++counts[range[rating.user]];
        ++counts[range[20'000 + rating.item]];
    }
    for (const auto& ranges : of_tile) CHECK(ranges.size() <= 2);
    const std::uint32_t users = range[19'999] + 1;
    for (std::uint32_t r = 0; r < tiles.ranges(); ++r) {
        const double mean = 400'000.0 / (r < users ? users : tiles.ranges() - users);
        CHECK(static_cast<double>(counts[r]) < 2.5 * mean); // the hottest ids are ranges by themselves
    }
}

TEST_CASE("neighbouring tiles of a large one share neither users nor items") {
    const TestRatings ratings = random_ratings(100'000, 4'000, 1'500, {}, 7); // one large tile, 8 by 8 small ones
    const RatingTiles tiles(ratings.view());
    REQUIRE(tiles.count() == 64);
    const std::vector<std::uint32_t> range = tiles.range_of_group();
    std::vector<std::vector<std::uint32_t>> of_tile(64);
    for (const Rating& rating : ratings.ratings)
        of_tile[tiles(rating)] = {range[rating.user], range[4'000 + rating.item]};
    for (std::size_t first = 0; first < 64; first += 8) {
        std::set<std::uint32_t> met;
        for (std::size_t tile = first; tile < first + 8; ++tile) met.insert(of_tile[tile].begin(), of_tile[tile].end());
        CHECK(met.size() == 16);
    }
}

TEST_CASE("a few ratings are one tile, and so sparse ones that none would hold any") {
    CHECK(RatingTiles(random_ratings(100, 50, 20, {}, 1).view()).count() == 1);
    CHECK(RatingTiles(random_ratings(1, 1, 1, {}, 1).view()).count() == 1);
    CHECK(RatingTiles(random_ratings(40'000, 3'000'000, 1'000'000, {}, 1).view()).count() <= 64);
}
