// Which users and items a GPU's blocks copy.
#include "engine/data/ratings/hot_groups.h"
#include "engine/data/statistics.h"
#include "engine/plan/plan.h"
#include "engine/run.h"
#include "kernels/cuda/pass.h"
#include "kernels/patterns/factor_pairs.h"
#include "tests/engine/toys/toy_ratings.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace hogwild;

TEST_CASE("copies are of the groups that most ratings touch, all of their coordinates, each once") {
    const Dataset ratings = ratings_dataset(random_ratings(2'000, 60, 40, {.mean = 3}, 2));
    for (const bool biased : {false, true}) {
        const AnyView data =
            FactorPairs::bound(ratings.view().as<RatingsView>(), {std::vector<double>{5, biased ? 1.0 : 0.0, 0}, 0.0});
        const auto& view = data.as<RatingsView>();
        const std::vector<std::uint64_t> counts = group_counts(data);
        const std::uint32_t size = biased ? 6 : 5, all = data.coordinates();
        for (const std::uint32_t hot : {1u, size, 7 * size + 3, all, all + 100}) {
            const HotGroups copied = hot_groups(hot, data);
            const std::uint32_t groups = std::clamp(hot / size, 1u, view.groups());
            REQUIRE(copied.coordinates.size() == groups * size);
            std::uint64_t least_hot = ~0ull, most_cold = 0, slots = 0;
            for (std::uint32_t group = 0; group < view.groups(); ++group) {
                const std::uint32_t slot = copied.slots[group];
                if (slot == HotExchange::kCold) {
                    most_cold = std::max(most_cold, counts[group]);
                    continue;
                }
                ++slots;
                least_hot = std::min(least_hot, counts[group]);
                REQUIRE(slot < groups);
                for (std::uint32_t k = 0; k < 5; ++k) CHECK(copied.coordinates[slot * 5 + k] == group * 5 + k);
                if (biased) CHECK(copied.coordinates[groups * 5 + slot] == view.groups() * 5 + group);
            }
            CHECK(slots == groups);
            CHECK(least_hot >= most_cold);
        }
    }
}

TEST_CASE("copies whose numbers would pass 2^32 are refused") {
    Plan plan;
    plan.problem = "factorization";
    plan.device = "gpu";
    plan.memory = "device";
    plan.update = "atomic";
    plan.hot.count = 64;
    RatingsView view;
    view.rows = 1;
    view.items = 1;
    const auto refused = [&](std::uint32_t users) {
        view.users = users;
        return why_not(plan, Dataset{"ratings", 1, view, nullptr}).starts_with("copies have numbers behind those");
    };
    plan.parameters = {32, 1};
    CHECK(refused(130'150'000));       // 4,294,950,033 coordinates
    CHECK_FALSE(refused(130'149'000)); // 4,294,917,033, whatever else goes against it
    plan.hot.count = 0;
    CHECK_FALSE(refused(130'150'000));
}
