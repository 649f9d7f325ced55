#include "engine/data/graphs/graph.h"

#include "engine/data/graphs/graph_builder.h"
#include "engine/data/graphs/list_head.h"
#include "engine/data/graphs/said_counts.h"
#include "engine/data/text/text_blocks.h"

#include <utility>

namespace hogwild {

EdgesView GraphArrays::view() const {
    constexpr std::uint64_t kEdges = 1 << 16; // of a block of the sum: part of its definition
    struct Sum {
        double weight = 0;
        std::uint64_t ends = 0;
    };
    const auto blocks = parallel_map<Sum>(edges.size(), kEdges, [&](std::uint64_t begin, std::uint64_t end) {
        Sum sum;
        for (std::uint64_t i = begin; i < end; ++i) {
            sum.weight += double{edges[i].weight};
            sum.ends += (edges[i].u >= free ? 1u : 0u) + (edges[i].v >= free ? 1u : 0u);
        }
        return sum;
    });
    Sum all;
    for (const Sum& block : blocks) {
        all.weight += block.weight;
        all.ends += block.ends;
    }
    EdgesView view;
    view.edges = edges.data();
    view.rows = edges.size();
    view.known = known.data();
    view.known_count = known.size();
    view.free = free;
    view.classes = classes;
    view.terminal_ends = all.ends;
    if (view.rows > 0) view.mean = static_cast<float>(all.weight / static_cast<double>(view.rows));
    view.constant = constant;
    return view;
}

GraphData read_graph(std::string_view stored, const std::string& name, const TextLimits& limits) {
    TextBlocks<GraphBlock> text(name, limits.max_array_bytes, parse_graph_block);
    GraphData data;
    data.text_bytes = read_text(stored, limits, text);
    const std::string said = said_counts_note(text.blocks());
    data.note = take_list_head(name, text.blocks());
    if (data.note.empty()) data.note = said;
    const GraphNodes nodes = graph_nodes(name, text.blocks(), limits.max_array_bytes);
    data.arrays = build_graph(name, nodes, std::move(text.blocks()));
    return data;
}

} // namespace hogwild
