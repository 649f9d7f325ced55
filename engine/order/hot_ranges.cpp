#include "engine/order/hot_ranges.h"

#include "engine/data/ratings/group_use.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <numeric>

namespace hogwild {

std::vector<CoordinateRange> hottest_pages(std::span<const float> lines, std::uint32_t lines_of_page,
                                           std::uint32_t pages) {
    const auto all = static_cast<std::uint32_t>(lines.size());
    std::vector<double> heat((lines.size() + lines_of_page - 1) / lines_of_page);
    for (std::uint32_t line = 0; line < all; ++line) heat[line / lines_of_page] += lines[line];
    std::vector<std::uint32_t> hottest(heat.size());
    std::iota(hottest.begin(), hottest.end(), 0u);
    std::ranges::stable_sort(hottest, [&](std::uint32_t a, std::uint32_t b) { return heat[a] > heat[b]; });

    std::vector<bool> owned(heat.size() + 2); // page p is p + 1 here: the first and the last have neighbours
    std::size_t ranges = 0;
    for (const std::uint32_t p : hottest) {
        if (pages == 0) break;
        const std::size_t beside = owned[p] + owned[p + 2];
        if (beside == 0 && ranges == kMostRanges) continue;
        ranges = ranges + 1 - beside;
        owned[p + 1] = true;
        --pages;
    }
    std::vector<CoordinateRange> own;
    for (std::uint32_t p = 0; p < heat.size(); ++p) {
        if (!owned[p + 1]) continue;
        if (!owned[p]) own.push_back({p * lines_of_page * GroupUse::kLine, 0});
        own.back().end = std::min((p + 1) * lines_of_page, all) * GroupUse::kLine;
    }
    return own;
}

std::vector<CoordinateRange> hot_ranges(const Plan& plan, const AnyView& data) {
    if (!owns_hot(plan)) return {};
    const std::uint32_t hot = hot_coordinates(plan, data.coordinates());
    if (is_linear(plan.problem))
        return hot == 0 ? std::vector<CoordinateRange>{} : std::vector{CoordinateRange{0, hot}};
    const auto page = static_cast<std::uint32_t>(page_size() / sizeof(float));
    std::vector<CoordinateRange> own =
        hottest_pages(group_use(data).lines, page / GroupUse::kLine, (hot + page - 1) / page);
    if (!own.empty()) own.back().end = std::min(own.back().end, data.coordinates());
    return own;
}

} // namespace hogwild
