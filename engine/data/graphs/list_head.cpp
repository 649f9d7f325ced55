#include "engine/data/graphs/list_head.h"

#include "engine/data/graphs/metis_head.h"
#include "engine/data/text/text_words.h"
#include "engine/error.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// The first edge of a list, and where it stands.
struct FirstEdge {
    GraphBlock* block = nullptr; // null: there is none, or the file is no list
    std::uint64_t line = 0, column = 0;
    bool is_first_line = false; // of all that say something

    const WeightedEdge& edge() const { return block->edges[0]; }
    bool has_weight() const { return !block->first_weight.empty(); }

    /// As it is written, but for separators.
    std::string text() const {
        const std::string ends = fmt::format("{} {}", edge().u, edge().v);
        return has_weight() ? fmt::format("'{} {}'", ends, block->first_weight) : "'" + ends + "'";
    }
};

FirstEdge first_of(std::vector<GraphBlock>& blocks) {
    FirstEdge first;
    bool is_first_line = true;
    for (GraphBlock& block : blocks) {
        if (block.head || block.first_arc) return {};
        if (block.first_edge) {
            first.block = &block;
            first.line += block.first_edge->line;
            first.column = block.first_edge->column;
            first.is_first_line = is_first_line && block.first_listed->line == block.first_edge->line;
            return first;
        }
        is_first_line = is_first_line && !block.first_listed;
        first.line += block.lines;
    }
    return {};
}

/// As the parser counts them.
bool is_padded(const std::string& weight) {
    return weight.size() > 1 && weight[0] == '0' && words::is_digit(weight[1]);
}

/// All lines but the first.
struct Others {
    std::uint64_t edges = 0, weighted = 0, padded = 0;
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
        others.padded += block.padded;
        for (const auto* lines : {&block.terminals, &block.known}) {
            for (const NodeLine& line : *lines) others.most = std::max(others.most, line.node);
        }
    }
    others.weighted -= first.first_weight.empty() ? 0 : 1;
    others.padded -= is_padded(first.first_weight) ? 1 : 0;
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

/// Throws where it is METIS's.
void check_metis(const std::string& name, const std::vector<GraphBlock>& blocks, const FirstEdge& first,
                 const Others& others) {
    const auto [nodes, edges, format] = first.edge();
    const bool may_be = !first.has_weight() || may_be_format(format);
    const bool is_format = first.has_weight() && may_be;
    const bool alone = is_format && is_padded(first.block->first_weight) && others.padded == 0;
    const bool counts = is_format && edges == others.edges && others.most <= nodes;
    const bool lists = may_be && (!first.has_weight() || format == 0) && nodes == others.edges &&
                       std::uint64_t{2} * edges == 2 * others.edges + others.weighted && lists_neighbours(blocks);
    if (!alone && !counts && !lists) return;
    throw Error(
        fmt::format("{}:{}:{}: {} looks like the head of a METIS file", name, first.line, first.column, first.text()),
        fmt::format("that is of {} nodes and {} edges{}; here a line is an edge, not a node's neighbours", nodes, edges,
                    first.has_weight() ? ", with a format" : ""),
        "write a line 'U V' or 'U V WEIGHT' for each edge, and no head; if this is an edge, put it behind "
        "another one");
}

/// Whether it looks like a head, though not all fits.
bool looks_like_head(const FirstEdge& first, const Others& others) {
    const auto [u, v, weight] = first.edge();
    const bool weighted = first.has_weight();
    const bool alone = others.edges > 1 && (weighted ? others.weighted == 0 : others.weighted == others.edges);
    const bool beyond =
        !weighted && u >= others.most && v > others.most && std::uint64_t{2} * v > others.edges && v / 2 < others.edges;
    const bool swapped = !weighted && others.edges > 1 && u == others.edges && v >= others.most; // EDGES NODES
    const bool both_ways = !weighted && std::uint64_t{2} * v == others.edges && u >= others.most;
    const bool beside = !weighted && others.edges > 1 && v == others.edges && std::uint64_t{u} + 1 == others.most;
    return alone || beyond || swapped || both_ways || beside;
}

} // namespace

std::string take_list_head(const std::string& name, std::vector<GraphBlock>& blocks) {
    const FirstEdge first = first_of(blocks);
    if (first.block == nullptr) return "";
    const auto [u, v, weight] = first.edge();
    const Others others = others_of(blocks, *first.block);
    if (others.edges == 0) return "";
    check_metis(name, blocks, first, others);
    const std::string what = fmt::format("the first {}, {},", first.is_first_line ? "line" : "edge", first.text());
    const auto number = static_cast<double>(others.edges);
    const bool counts = first.has_weight() ? u == v && double{weight} == number : v == others.edges;
    if (counts && others.most <= u) {
        drop(*first.block, others);
        return fmt::format("{} is taken for a head: nodes up to {}, and {} edges", what, u, others.edges);
    }
    if (!looks_like_head(first, others)) return "";
    return fmt::format(
        "{} is read as an edge, though it looks like a head: {} edges follow, of nodes up to {}; if it is "
        "one, repair or remove it",
        what, others.edges, others.most);
}

} // namespace hogwild
