#include "engine/schemes/popularity.h"

#include <algorithm>

namespace hogwild {

std::vector<std::uint32_t> popularity_bounds(const SparseView& data, unsigned parts) {
    constexpr std::uint64_t kEnough = 4'000'000;
    constexpr std::uint32_t kPerLine = 16;
    const std::uint64_t skip = std::max<std::uint64_t>(data.nonzeros() / kEnough, 1);
    std::vector<std::uint64_t> lines(data.columns / kPerLine + 1);
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < data.rows; i += skip) {
        const SparseRow row = data.row(i);
        for (std::uint32_t k = 0; k < row.size; ++k) ++lines[row.index[k] / kPerLine];
        total += row.size;
    }
    std::vector<std::uint32_t> bounds{0};
    std::uint64_t seen = 0;
    for (std::size_t line = 0; line < lines.size(); ++line) {
        // A bound goes where the running count comes nearest to its share: before this line or after it.
        const std::uint64_t after = seen + lines[line];
        while (bounds.size() < parts && total * bounds.size() / parts < (seen + after + 1) / 2) {
            bounds.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(line * kPerLine, data.columns)));
        }
        seen = after;
    }
    bounds.resize(parts, data.columns);
    bounds.push_back(data.columns);
    return bounds;
}

} // namespace hogwild
