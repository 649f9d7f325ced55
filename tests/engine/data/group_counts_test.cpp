#include "engine/data/group_counts.h"

#include "engine/data/statistics.h"
#include "tests/random_graph.h"
#include "tests/random_ratings.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hogwild {
namespace {

void agrees(const AnyView& data) {
    const std::vector<std::uint64_t> all = group_counts(data);
    const GroupCounts counts(data);
    std::vector<std::uint64_t> found(all.size());
    std::uint64_t named = 0;
    std::int64_t before = -1;
    counts.for_each_touched([&](std::uint32_t group, std::uint64_t count) {
        CHECK(before < std::int64_t{group});
        before = group;
        found[group] = count;
        named += count;
    });
    CHECK(counts.groups() == all.size());
    CHECK(found == all);
    for (std::uint32_t group = 0; group < all.size(); ++group) CHECK(counts[group] == all[group]);
    CHECK(counts.most() == *std::max_element(all.begin(), all.end()));
    CHECK(counts.held() <= std::min<std::uint64_t>(all.size(), named));
}

TEST_CASE("samples of a group are counted alike by a table of all groups and by a list of those that occur") {
    for (const std::uint32_t size : {5u, 60u, 3'000u}) {
        CAPTURE(size);
        agrees(random_samples(40, size, 4, size).view());
        agrees(random_ratings(50, size, size / 2, {.rank = 4}, size).view());
        agrees(random_graph(50, size, 2, size).view());
    }
}

TEST_CASE("counts that are held are no more than samples name groups, however far their numbers lie apart") {
    const std::vector<Rating> two{{0, 0, 3}, {999'999'999, 1, 4}};
    const RatingsView view{two.data(), two.size(), 1'000'000'000, 2};
    const GroupCounts counts(view);
    CHECK(counts.held() == 4);
    CHECK(counts.groups() == 1'000'000'002);
    CHECK(counts[999'999'999] == 1);
    CHECK(counts[5] == 0);
    CHECK(counts.most() == 1);
    const CollisionShare rho = group_collision_share(view, counts, 1'000);
    CHECK(rho.exact);
    CHECK(rho.lower == 0.5);
}

} // namespace
} // namespace hogwild
