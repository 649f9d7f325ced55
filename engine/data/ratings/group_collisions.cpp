// Recht's rho of samples that touch few groups of coordinates, such as ratings and edges.
//
// A sample meets at most sum(count(g) for g in e) - |e| + 1 others. It meets just so many where no other sample shares
// two groups with it, and never more than all. Samples are tried by falling bound: one pass finds the next and one counts
// what it meets. The search ends when the best found reaches the bound of the next: mostly with the first.
#include "engine/data/statistics.h"

#include "engine/machine/parallel.h"

#include <algorithm>
#include <numeric>

namespace hogwild {
namespace {

constexpr std::uint64_t kGrain = 1 << 16;

using Groups = std::vector<std::uint32_t>; // rising, each once

Groups groups_of(const auto& sample) {
    Groups groups;
    sample.for_each_group([&](std::uint32_t group) { groups.push_back(group); });
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
}

/// A sample's groups and how many samples it meets at most.
struct Bound {
    std::uint64_t meets = 0;
    Groups groups;
};

template <class View>
Bound largest_bound(const View& view, const GroupCounts& counts, const std::vector<Groups>& tried) {
    const auto blocks = parallel_map<Bound>(view.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        Bound largest;
        for (std::uint64_t i = begin; i < end; ++i) {
            std::uint64_t sum = 1;
            view.row(i).for_each_group([&](std::uint32_t group) { sum += counts[group] - 1; });
            if (sum <= largest.meets) continue;
            Groups groups = groups_of(view.row(i));
            if (std::ranges::find(tried, groups) == tried.end()) largest = {sum, std::move(groups)};
        }
        return largest;
    });
    Bound largest;
    for (const Bound& block : blocks) {
        if (block.meets > largest.meets) largest = block;
    }
    return largest;
}

template <class View>
std::uint64_t meeting(const View& view, const Groups& groups) {
    const auto blocks = parallel_map<std::uint64_t>(view.rows, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint64_t found = 0;
        for (std::uint64_t i = begin; i < end; ++i) {
            bool meets = false;
            view.row(i).for_each_group(
                [&](std::uint32_t group) { meets = meets || std::ranges::binary_search(groups, group); });
            found += meets;
        }
        return found;
    });
    return std::accumulate(blocks.begin(), blocks.end(), std::uint64_t{0});
}

} // namespace

CollisionShare group_collision_share(const AnyView& data, const GroupCounts& counts, std::uint64_t budget) {
    std::uint64_t touched = 0;
    counts.for_each_touched([&](std::uint32_t, std::uint64_t count) { touched += count; });
    const std::uint64_t tries = std::max<std::uint64_t>(1, budget / (2 * touched + 1));
    return data.visit([&](const auto& view) {
        const auto share = [&](std::uint64_t meets) {
            return static_cast<double>(meets) / static_cast<double>(view.rows);
        };
        std::vector<Groups> tried;
        std::uint64_t best = 0;
        for (std::uint64_t i = 0; i < tries; ++i) {
            Bound next = largest_bound(view, counts, tried);
            next.meets = std::min(next.meets, view.rows); // no sample meets more than all
            if (next.meets <= best) return CollisionShare{share(best), share(best), true};
            best = std::max(best, meeting(view, next.groups));
            if (best == next.meets) return CollisionShare{share(best), share(best), true};
            tried.push_back(next.groups);
        }
        return CollisionShare{share(best), std::min(1.0, share(largest_bound(view, counts, tried).meets)), false};
    });
}

} // namespace hogwild
