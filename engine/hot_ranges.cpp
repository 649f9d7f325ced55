#include "engine/hot_ranges.h"

#include "engine/data/group_use.h"
#include "engine/hot_updates.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <numeric>

namespace hogwild {

std::vector<CoordinateRange> hottest_pages(std::span<const float> touched, std::uint32_t page, std::uint32_t hot) {
    const auto all = static_cast<std::uint32_t>(touched.size());
    std::vector<double> heat((touched.size() + page - 1) / page);
    for (std::uint32_t j = 0; j < all; ++j) heat[j / page] += touched[j];
    std::vector<std::uint32_t> hottest(heat.size());
    std::iota(hottest.begin(), hottest.end(), 0u);
    std::ranges::stable_sort(hottest, [&](std::uint32_t a, std::uint32_t b) { return heat[a] > heat[b]; });

    std::vector<bool> owned(heat.size() + 2); // page p is p + 1 here: the first and the last have neighbours
    std::size_t ranges = 0;
    std::uint64_t held = 0;
    for (const std::uint32_t p : hottest) {
        if (held >= hot) break;
        const std::size_t beside = owned[p] + owned[p + 2];
        if (beside == 0 && ranges == kMostRanges) continue;
        ranges = ranges + 1 - beside;
        owned[p + 1] = true;
        held += page;
    }
    std::vector<CoordinateRange> own;
    for (std::uint32_t p = 0; p < heat.size(); ++p) {
        if (!owned[p + 1]) continue;
        if (!owned[p]) own.push_back({p * page, 0});
        own.back().end = std::min((p + 1) * page, all);
    }
    return own;
}

std::vector<CoordinateRange> hot_ranges(const Plan& plan, const AnyView& data) {
    if (!owns_hot(plan)) return {};
    const std::uint32_t hot = hot_coordinates(plan, data.coordinates());
    if (is_linear(plan.problem)) return hot == 0 ? std::vector<CoordinateRange>{} : std::vector{CoordinateRange{0, hot}};
    return hottest_pages(group_use(data), static_cast<std::uint32_t>(page_size() / sizeof(float)), hot);
}

} // namespace hogwild
