#include "experiments/plans/hot_lines.h"

#include "engine/data/ratings/group_use.h"
#include "engine/memory/viewed_pages.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace hogwild {

HotLines lines_of_columns(std::vector<float> touched) {
    constexpr std::uint32_t kLine = GroupUse::kLine;
    HotLines lines{{}, {}, kLine, static_cast<std::uint32_t>(touched.size())};
    std::ranges::sort(touched, std::greater{});
    for (std::size_t begin = 0; begin < touched.size(); begin += kLine) {
        double none = 1;
        for (std::size_t j = begin; j < std::min(begin + kLine, touched.size()); ++j) none *= 1 - double{touched[j]};
        lines.shares.push_back(1 - none);
    }
    lines.units = lines.shares;
    return lines;
}

HotLines lines_of_groups(const AnyView& data) {
    const std::vector<float> use = group_use(data).lines;
    HotLines lines{{}, {}, static_cast<std::uint32_t>(page_size() / sizeof(float)), data.coordinates()};
    const std::size_t page = lines.unit / GroupUse::kLine;
    for (std::size_t begin = 0; begin < use.size(); begin += page) {
        const auto end = use.begin() + static_cast<std::ptrdiff_t>(std::min(begin + page, use.size()));
        const auto first = use.begin() + static_cast<std::ptrdiff_t>(begin);
        lines.shares.insert(lines.shares.end(), first, end);
        lines.units.push_back(*std::max_element(first, end));
    }
    std::ranges::sort(lines.shares, std::greater{});
    std::ranges::sort(lines.units, std::greater{});
    return lines;
}

} // namespace hogwild
