#include "engine/schemes/sync/popularity.h"

#include "kernels/network/bound_images.h"

#include <algorithm>
#include <numeric>

namespace hogwild {

std::vector<std::uint32_t> popularity_bounds(const AnyView& data, unsigned parts) {
    constexpr std::uint64_t kEnough = 4'000'000;
    // Where groups differ in what they cost, each is a part of its own.
    const std::uint32_t per_line = data.visit([](const auto& view) {
        return requires { view.cost(0); }
        ? 1u : 16u;
    });
    const std::uint64_t skip = std::max<std::uint64_t>(data.nonzeros() / kEnough, 1);
    std::vector<std::uint64_t> lines(data.groups() / per_line + 1);
    data.visit([&](const auto& view) {
        for (std::uint64_t i = 0; i < view.rows; i += skip)
            view.row(i).for_each_group([&](std::uint32_t group) {
                if constexpr (requires { view.cost(group); })
                    lines[group] += view.cost(group);
                else
                    ++lines[group / per_line];
            });
    });
    const std::uint64_t total = std::accumulate(lines.begin(), lines.end(), std::uint64_t{0});
    std::vector<std::uint32_t> bounds{0};
    std::uint64_t seen = 0;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        // A bound goes where the running count comes nearest to its share: before this line or after it.
        const std::uint64_t after = seen + lines[line];
        while (bounds.size() < parts && total * bounds.size() / parts < (seen + after + 1) / 2) {
            bounds.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(line * per_line, data.groups())));
        }
        seen = after;
    }
    bounds.resize(parts, data.groups());
    bounds.push_back(data.groups());
    return bounds;
}

} // namespace hogwild
