// The reader of graphs on arbitrary bytes: an Error, or edges between nodes that there are, each pair once, of weights
// above 0. Edges survive being written and read again.
#include "engine/data/graphs/graph.h"
#include "tests/fuzz/laws.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace {

/// A list of edges of all nodes, numbered from 0.
std::string written(const hogwild::EdgesView& view) {
    std::string text;
    for (std::uint64_t i = 0; i < view.rows; ++i)
        text += fmt::format("{} {} {}\n", view.edges[i].u, view.edges[i].v, view.edges[i].weight);
    for (std::uint32_t t = 0; t < view.classes; ++t) text += fmt::format("t {} {}\n", view.free + t, t);
    for (std::uint64_t i = 0; i < view.known_count; ++i)
        text += fmt::format("l {} {}\n", view.known[i].node, view.known[i].is);
    return view.free == 0 ? text : text + "0 0\n";
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace hogwild;
    return fuzz(bytes, size, [](std::string_view file, TextLimits limits) {
        limits.max_array_bytes = 1 << 26;
        const GraphData data = read_graph(file, "fuzz", limits);
        const EdgesView view = data.arrays->view();
        demand(view.rows > 0, "a graph without edges is refused");
        demand(view.classes >= 2 && view.classes <= EdgesView::kMostClasses, "classes that a cut can part");
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            const WeightedEdge& edge = view.edges[i];
            demand(edge.u < edge.v && edge.v < view.free + view.classes, "ends below the number of nodes, in order");
            demand(edge.weight >= 0 && std::isfinite(edge.weight), "weights are finite and not negative");
            if (i == 0) continue;
            const WeightedEdge& before = view.edges[i - 1];
            demand(before.u < edge.u || (before.u == edge.u && before.v < edge.v), "each pair once, sorted");
        }
        demand(std::isfinite(view.constant) && view.mean >= 0, "a constant and a mean");
        for (std::uint64_t i = 0; i < view.known_count; ++i)
            demand(view.known[i].node < view.free && view.known[i].is < view.classes, "known classes of free nodes");
        for (std::uint64_t i = 0; i < view.rows; ++i) {
            if (view.edges[i].weight == 0) return; // rounded down to nothing: would not be read again
        }
        const GraphData again = read_graph(written(view), "again", {});
        demand(written(again.arrays->view()) == written(view), "written and read again");
    });
}
