// Recht's rho of ratings and of edges.
#include "engine/data/statistics.h"
#include "tests/random_graph.h"
#include "tests/random_ratings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace hogwild;

namespace {

double by_definition(const AnyView& data) {
    std::vector<std::set<std::uint32_t>> groups(data.rows());
    data.visit([&](const auto& view) {
        for (std::uint64_t i = 0; i < view.rows; ++i)
            view.row(i).for_each_group([&](std::uint32_t group) { groups[i].insert(group); });
    });
    std::uint64_t most = 0;
    for (const auto& a : groups) {
        most = std::max<std::uint64_t>(most, std::ranges::count_if(groups, [&](const auto& b) {
                                           return std::ranges::any_of(b, [&](auto group) { return a.contains(group); });
                                       }));
    }
    return static_cast<double>(most) / static_cast<double>(data.rows());
}

void is_exact(const AnyView& data) {
    const CollisionShare rho = group_collision_share(data, GroupCounts(data), 1'000'000'000);
    CHECK(rho.exact);
    CHECK(rho.lower == rho.upper);
    CHECK(rho.lower == doctest::Approx(by_definition(data)));
}

} // namespace

TEST_CASE("rho of ratings and edges is that of its definition, pairs that occur often included") { // oracle 24
    for (const std::uint64_t seed : {1, 2, 3}) {
        is_exact(random_ratings(400, 90, 70, {.rank = 4}, seed).view());
        is_exact(random_ratings(400, 9, 7, {.rank = 4}, seed).view()); // nearly all pairs several times
        is_exact(random_graph(300, 120, 2, seed).view());
        is_exact(random_graph(300, 20, 3, seed).view());
    }
}

TEST_CASE("what a small budget leaves open lies between the bounds") {
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        const TestRatings ratings = random_ratings(400, 9, 7, {.rank = 4}, seed);
        const double rho = by_definition(ratings.view());
        for (const std::uint64_t budget : {0, 4'000, 20'000}) {
            const CollisionShare found = group_collision_share(ratings.view(), GroupCounts(ratings.view()), budget);
            CHECK(found.lower <= rho);
            CHECK(found.upper >= rho);
            CHECK(found.exact == (found.lower == found.upper));
        }
    }
}

TEST_CASE("one try is enough where a sample meets all others, since none meets more") {
    const TestRatings ratings = random_ratings(400, 9, 1, {.rank = 4}, 1); // of one item
    const CollisionShare found = group_collision_share(ratings.view(), GroupCounts(ratings.view()), 0);
    CHECK(found.exact);
    CHECK(found.lower == 1);
}
