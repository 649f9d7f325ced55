#include "engine/data/ratings/group_use.h"

#include "engine/data/statistics.h"

#include <algorithm>

namespace hogwild {

GroupUse group_use(const AnyView& data) {
    constexpr std::uint32_t kLine = GroupUse::kLine;
    GroupUse use{std::vector<float>(data.coordinates()), std::vector<float>((data.coordinates() + kLine - 1) / kLine)};
    const std::vector<std::uint64_t> counts = group_counts(data);
    const auto rows = static_cast<float>(std::max<std::uint64_t>(data.rows(), 1));
    data.visit([&]<class View>(const View& view) {
        if constexpr (requires { view.for_each_range(0u, [](std::uint32_t, std::uint32_t) {}); }) {
            for (std::uint32_t group = 0; group < counts.size(); ++group) {
                const float share = static_cast<float>(counts[group]) / rows;
                view.for_each_range(group, [&](std::uint32_t begin, std::uint32_t end) {
                    std::fill(use.touched.begin() + begin, use.touched.begin() + end, share);
                    for (std::uint32_t line = begin / kLine; line * kLine < end; ++line) use.lines[line] += share;
                });
            }
        }
    });
    return use;
}

} // namespace hogwild
