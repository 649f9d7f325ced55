#include "engine/data/borrowed_arrays.h"

#include "tests/engine/data/samples.h"
#include "tests/engine/toys/toy_samples.h"
#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <cstring>

using namespace hogwild;

TEST_CASE("a copy has the same samples in memory of its own") {
    const Dataset rows = crowded();
    const Dataset copy = copied(rows);
    CHECK(difference(copy.sparse(), rows.sparse()) == "");
    CHECK(copy.sparse().columns == rows.sparse().columns);
    CHECK(copy.sparse().values != rows.sparse().values);
    CHECK(copy.name() == rows.name());
    CHECK(copy.content_hash() == rows.content_hash());

    const TestRatings ratings = random_ratings(100, 9, 8, {4, true, 3.5f, 0.1f}, 1);
    const Dataset pairs("ratings", 2, ratings.view(), nullptr);
    const RatingsView moved = copied(pairs).view().as<RatingsView>();
    CHECK(moved.rows == 100);
    CHECK(moved.users == 9);
    CHECK(moved.model.mean == 3.5f);
    const Dataset kept = copied(pairs);
    CHECK(std::memcmp(kept.view().as<RatingsView>().ratings, ratings.ratings.data(), 100 * sizeof(Rating)) == 0);
}

TEST_CASE("arrays are told with all their bytes") {
    const TestSamples samples = random_samples(10, 8, 3, 1);
    const auto arrays = borrowed_arrays(samples.view());
    REQUIRE(arrays.size() == 4);
    CHECK(arrays[0].data == samples.offsets.data());
    CHECK(arrays[0].bytes == 11 * 8);
    CHECK(arrays[3].bytes == 10 * 4);
    CHECK(array_bytes(samples.view()) == 11 * 8 + 8 * samples.indices.size() + 10 * 4);
    const TestRatings ratings = random_ratings(100, 9, 8, {}, 1);
    CHECK(array_bytes(ratings.view()) == 100 * sizeof(Rating));
}
