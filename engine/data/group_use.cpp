#include "engine/data/group_use.h"

#include <algorithm>

namespace hogwild {

std::vector<float> group_use(const AnyView& data) {
    constexpr std::uint64_t kEnough = 500'000;
    std::vector<float> touched(data.coordinates());
    data.visit([&](const auto& view) {
        if constexpr (requires { view.for_each_range(0u, [](std::uint32_t, std::uint32_t) {}); }) {
            const std::uint64_t skip = std::max<std::uint64_t>(view.rows / kEnough, 1);
            std::vector<std::uint32_t> groups(view.groups());
            std::uint64_t counted = 0;
            for (std::uint64_t i = 0; i < view.rows; i += skip, ++counted)
                view.row(i).for_each_group([&](std::uint32_t group) { ++groups[group]; });
            if (counted == 0) return;
            for (std::uint32_t group = 0; group < groups.size(); ++group) {
                const float share = static_cast<float>(groups[group]) / static_cast<float>(counted);
                view.for_each_range(group, [&](std::uint32_t begin, std::uint32_t end) {
                    std::fill(touched.begin() + begin, touched.begin() + end, share);
                });
            }
        }
    });
    return touched;
}

} // namespace hogwild
