#include "engine/data/graphs/metis_head.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hogwild {
namespace {

bool names(const WeightedEdge& line, double node) { return line.u == node || line.v == node || line.weight == node; }

} // namespace

bool may_be_format(float weight) {
    constexpr auto kFormats = std::to_array<float>({0, 1, 10, 11, 100, 101, 110, 111});
    return std::ranges::find(kFormats, weight) != kFormats.end();
}

bool lists_neighbours(const std::vector<GraphBlock>& blocks) {
    std::vector<WeightedEdge> lines; // that of the first edge is line 0
    for (const GraphBlock& block : blocks)
        lines.insert(lines.end(), block.edges.data(), block.edges.data() + block.rows);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto node = static_cast<double>(i);
        const auto agrees = [&](double other) {
            return other >= 1 && other < static_cast<double>(lines.size()) && other != node &&
                   names(lines[static_cast<std::size_t>(other)], node);
        };
        const double third = lines[i].weight;
        if (!agrees(lines[i].u) || !agrees(lines[i].v) || (third != 1 && !agrees(third))) return false;
    }
    return true;
}

} // namespace hogwild
