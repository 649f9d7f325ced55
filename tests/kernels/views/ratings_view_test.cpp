#include "kernels/views/any_view.h"
#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace hogwild;

namespace {

std::vector<std::uint32_t> coordinates_of(const FactorPair& pair) {
    std::vector<std::uint32_t> coordinates;
    pair.for_each_coordinate([&](std::uint32_t j) { coordinates.push_back(j); });
    return coordinates;
}

} // namespace

TEST_CASE("every coordinate belongs to one user or one item, and a rating touches one of each") {
    for (const bool biased : {true, false}) {
        TestRatings all{{}, 4, 3, {5, biased, 0, 0}};
        for (std::uint32_t user = 0; user < 4; ++user) all.ratings.push_back({user, 0, 1});
        for (std::uint32_t item = 1; item < 3; ++item) all.ratings.push_back({0, item, 1});
        const RatingsView view = all.view();
        const std::uint32_t each = 5 + (biased ? 1 : 0);
        CHECK(view.groups() == 7);
        CHECK(view.coordinates() == 7 * each);
        CHECK(view.nonzeros() == view.rows * 2 * each);
        std::vector<std::vector<std::uint32_t>> touched; // by a rating of this group and a fixed one
        std::vector<unsigned> times(view.coordinates());
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            const auto coordinates = coordinates_of(view.row(i));
            CHECK(coordinates.size() == 2 * each);
            for (const std::uint32_t j : coordinates) ++times.at(j);
        }
        // User 0 is in ratings 0, 4 and 5, item 0 in 0 to 3, all others in one.
        CHECK(std::ranges::count(times, 3u) == each);
        CHECK(std::ranges::count(times, 4u) == each);
        CHECK(std::ranges::count(times, 1u) == 5 * each);
    }
}

TEST_CASE("groups rise, users before items") {
    const TestRatings ratings = random_ratings(100, 20, 10, {2, true, 0, 0}, 4);
    for (std::uint64_t i = 0; i < 100; ++i) {
        std::vector<std::uint32_t> groups;
        ratings.view().row(i).for_each_group([&](std::uint32_t g) { groups.push_back(g); });
        CHECK(groups == std::vector{ratings.ratings[i].user, 20 + ratings.ratings[i].item});
    }
}

TEST_CASE("a pair of sets is widened to the larger of users and of items") {
    const RatingsView a{nullptr, 0, 10, 3, {}}, b{nullptr, 0, 4, 8, {}};
    CHECK(a.widened(b).users == 10);
    CHECK(a.widened(b).items == 8);
    CHECK(b.widened(a).users == 10);
    CHECK(b.widened(a).items == 8);
}

TEST_CASE("samples of any pattern say the same as their own view") {
    const TestRatings ratings = random_ratings(9, 5, 4, {3, true, 0, 0}, 4);
    const TestSamples rows = random_samples(9, 8, 3, 1);
    const AnyView pairs = ratings.view(), sparse = rows.view();
    CHECK(pairs.is<RatingsView>());
    CHECK_FALSE(pairs.is<SparseView>());
    CHECK(pairs.rows() == 9);
    CHECK(pairs.groups() == 9);
    CHECK(pairs.coordinates() == 36);
    CHECK(pairs.bytes() == 9 * sizeof(Rating));
    CHECK(sparse.coordinates() == 8);
    CHECK(sparse.groups() == 8);
    CHECK(sparse.nonzeros() == rows.indices.size());
    CHECK(pairs.tile_side() == 1);
    CHECK(sparse.tile_side() == 0);
    CHECK(RatingsView::tile_side(10'000'000) == 128);
}
