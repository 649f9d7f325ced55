// Reads a graph whose cut is looked for, plain or compressed, in parallel, with the same result at any number of threads.
//
// Text as engine/data/graphs/graph_block.h describes it: a maximum flow of DIMACS, or a list of edges. What becomes of it:
//   - A head 'NODES EDGES' of a list is no edge, and one of METIS an error (engine/data/graphs/list_head.h). Where a comment says
//     another number of edges than there are, a note says so (engine/data/graphs/said_counts.h).
//   - Several edges of one pair of nodes are one, of their summed weight. Edges of weight 0, and from a node to itself, go.
//   - A node that a line t or l names needs no edge: it is a node, or of its terminal, as others are. Nodes of a list are all
//     numbers from the first to the largest that any line names.
//   - In a list, ids start at 0 where a 0 occurs, else at 1. All terminals of one class are one node; classes are the numbers
//     of its lines `t`, in rising order. A known class of a terminal is not kept.
//   - In a flow, class 0 is the source's side and class 1 the sink's. An arc of capacity c from u to v costs c max(0,
//     x_u - x_v). It is cut where u is on the source's side and v is not. A pair with capacities a and b costs (a +
//     b)/2 |x_u - x_v| + (a - b)/2 (x_u - x_v). The second part is linear, and goes to the ends' edges with the
//     terminals. c x_v = c |x_v - 0|, and -c x_v = c |1 - x_v| - c. What a node then has with both terminals is cut by
//     every cut, up to the smaller of the two. Both constants are kept apart (EdgesView::constant), so a cut of the
//     edges plus the constant is the value of the cut. That is exact for whole capacities below 2^23; edges hold their
//     weights as floats. Arcs into the source or out of the sink are never cut.
//   - Free nodes keep their order; edges are sorted by their nodes.
//
// Errors: throws Error `name:line:column: what (why); try`, for the first fault of the text. Reentrant.
// Sources: DIMACS, "The first DIMACS international algorithm implementation challenge: general information", 1990.
// Kolmogorov and Zabih, "What energy functions can be minimized via graph cuts?", 2004, for the linear parts.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/text/text_source.h"
#include "engine/memory/pages.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hogwild {

/// Owns the edges that an EdgesView borrows. Written by one producer, then shared as const.
struct GraphArrays final : DatasetStorage {
    PageArray<WeightedEdge> edges;
    PageArray<NodeClass> known;
    std::uint32_t free = 0;
    std::uint32_t classes = 2;
    double constant = 0;

    /// Counts what it says of all edges.
    EdgesView view() const;
};

struct GraphData {
    std::shared_ptr<GraphArrays> arrays;
    std::uint64_t text_bytes = 0;
    std::string note; // of a first line that is a head, or looks like one
};

/// `stored` is the file's content; `name` is for messages.
GraphData read_graph(std::string_view stored, const std::string& name, const TextLimits& limits = {});

} // namespace hogwild
