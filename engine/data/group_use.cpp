#include "engine/data/group_use.h"

#include <algorithm>

namespace hogwild {
namespace {

/// For each group the share of the samples that touch it.
template <class View>
std::vector<float> shares(const View& data) {
    constexpr std::uint64_t kEnough = 500'000;
    const std::uint64_t skip = std::max<std::uint64_t>(data.rows / kEnough, 1);
    std::vector<std::uint32_t> touches(data.groups());
    std::uint64_t counted = 0;
    for (std::uint64_t i = 0; i < data.rows; i += skip, ++counted)
        data.row(i).for_each_group([&](std::uint32_t group) { ++touches[group]; });
    std::vector<float> shares(touches.size());
    if (counted == 0) return shares;
    std::ranges::transform(touches, shares.begin(), [&](std::uint32_t count) {
        return static_cast<float>(count) / static_cast<float>(counted);
    });
    return shares;
}

} // namespace

GroupUse group_use(const AnyView& data) {
    constexpr std::uint32_t kLine = GroupUse::kLine;
    GroupUse use{std::vector<float>(data.coordinates()), std::vector<float>((data.coordinates() + kLine - 1) / kLine)};
    data.visit([&]<class View>(const View& view) {
        if constexpr (requires { view.for_each_range(0u, [](std::uint32_t, std::uint32_t) {}); }) {
            const std::vector<float> groups = shares(view);
            for (std::uint32_t group = 0; group < groups.size(); ++group) {
                view.for_each_range(group, [&](std::uint32_t begin, std::uint32_t end) {
                    std::fill(use.touched.begin() + begin, use.touched.begin() + end, groups[group]);
                    for (std::uint32_t line = begin / kLine; line * kLine < end; ++line)
                        use.lines[line] += groups[group];
                });
            }
        }
    });
    return use;
}

} // namespace hogwild
