#include "engine/data/ratings/hot_groups.h"

#include "engine/data/statistics.h"
#include "kernels/cuda/pass.h"
#include "kernels/views/ratings_view.h"

#include <algorithm>
#include <numeric>

namespace hogwild {

HotGroups hot_groups(std::uint32_t hot, const AnyView& data) {
    const RatingsView& ratings = data.as<RatingsView>();
    const std::vector<std::uint64_t> counts = group_counts(data);
    const std::uint32_t groups = ratings.groups(), rank = ratings.model.rank, biases = groups * rank;
    const std::uint32_t copied = std::clamp(hot / (rank + ratings.model.biased), 1u, groups);
    std::vector<std::uint32_t> hottest(groups);
    std::iota(hottest.begin(), hottest.end(), 0u);
    std::ranges::stable_sort(hottest, [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
    hottest.resize(copied);

    HotGroups own{std::vector(groups, HotExchange::kCold), {}};
    for (std::uint32_t slot = 0; slot < copied; ++slot) {
        own.slots[hottest[slot]] = slot;
        for (std::uint32_t k = 0; k < rank; ++k) own.coordinates.push_back(hottest[slot] * rank + k);
    }
    if (!ratings.model.biased) return own;
    for (const std::uint32_t group : hottest) own.coordinates.push_back(biases + group);
    return own;
}

} // namespace hogwild
