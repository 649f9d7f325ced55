#include "engine/data/graphs/list_head.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// The block whose first edge is the first line of the list; null where there is none, or where another line comes first.
GraphBlock* first_of(std::vector<GraphBlock>& blocks) {
    const auto block =
        std::ranges::find_if(blocks, [](const GraphBlock& each) { return each.first_listed || each.first_arc; });
    if (block == blocks.end() || !block->first_listed || block->rows == 0 || block->head || block->first_arc)
        return nullptr;
    const auto comes_first = [&](const std::vector<NodeLine>& lines) {
        return !lines.empty() && lines.front().place.line == block->first_listed->line;
    };
    return comes_first(block->terminals) || comes_first(block->known) ? nullptr : &*block;
}

/// All lines but the first.
struct Others {
    std::uint64_t edges = 0, weighted = 0;
    std::uint32_t most = 0; // of the nodes that they name
    std::uint32_t some = 0; // one of these
};

Others others_of(const std::vector<GraphBlock>& blocks, const GraphBlock& first) {
    Others others;
    for (const GraphBlock& block : blocks) {
        const bool has_first = &block == &first;
        for (std::uint64_t i = 1; has_first && i < block.rows; ++i)
            others.most = std::max({others.most, block.edges[i].u, block.edges[i].v});
        if (!has_first && block.rows > 0) others.most = std::max(others.most, block.most);
        const std::uint64_t from = has_first ? 1 : 0;
        if (block.rows > from) others.some = block.edges[from].u;
        others.edges += block.rows - from;
        others.weighted += block.weighted;
        for (const auto* lines : {&block.terminals, &block.known}) {
            for (const NodeLine& line : *lines) others.most = std::max(others.most, line.node);
        }
    }
    others.weighted -= first.first_weighted ? 1 : 0;
    return others;
}

/// Takes the first edge out.
void drop(GraphBlock& block, const Others& others) {
    block.edges[0] = {others.some, others.some, 0};
    block.most = 0;
    block.least = std::numeric_limits<std::uint32_t>::max();
    for (std::uint64_t i = 0; i < block.rows; ++i) {
        block.most = std::max({block.most, block.edges[i].u, block.edges[i].v});
        block.least = std::min({block.least, block.edges[i].u, block.edges[i].v});
    }
}

} // namespace

std::string take_list_head(std::vector<GraphBlock>& blocks) {
    GraphBlock* const block = first_of(blocks);
    if (block == nullptr) return "";
    const WeightedEdge first = block->edges[0];
    const bool weighted = block->first_weighted;
    const Others others = others_of(blocks, *block);
    if (others.edges == 0) return "";
    const std::string text =
        weighted ? fmt::format("'{} {} {}'", first.u, first.v, first.weight) : fmt::format("'{} {}'", first.u, first.v);
    const auto number = static_cast<double>(others.edges);
    const bool counts = weighted ? first.u == first.v && double{first.weight} == number : first.v == others.edges;
    if (counts && others.most <= first.u) {
        drop(*block, others);
        return fmt::format("the first line, {}, is taken for a head: nodes up to {}, and {} edges", text, first.u,
                           others.edges);
    }
    const bool alone = others.edges > 1 && (weighted ? others.weighted == 0 : others.weighted == others.edges);
    const bool beyond = !weighted && first.u >= others.most && first.v > others.most &&
                        std::uint64_t{2} * first.v > others.edges && first.v / 2 < others.edges;
    if (!alone && !beyond) return "";
    return fmt::format(
        "the first line, {}, is read as an edge, though it looks like a head: {} edges follow, of nodes up "
        "to {}; if it is one, repair or remove it",
        text, others.edges, others.most);
}

} // namespace hogwild
