// One piece of a text of a graph, parsed by one thread into its own arrays.
//
// Two ways of writing, each line saying what it is by its first word:
//
//   DIMACS maximum flow     c ...             a comment
//                           p max NODES ARCS  once, first
//                           n ID s|t          the source, the sink
//                           a FROM TO CAP     an arc, ids from 1
//   a list of edges         U V [WEIGHT]      an edge, of weight 1 where none is said
//                           t NODE CLASS      a terminal of that class
//                           l NODE CLASS      a node whose class is known: to score by, never to train with
//
// Fields are separated by blanks and tabs, in a list also by one comma or semicolon; nothing follows the last.
// Lines that begin with `#` or `%`, and lines without anything, are skipped; a line ends with LF or CR LF. The banner of a Matrix
// Market file is a fault, since a size line follows it. Weights are finite and not negative.
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/memory/pages.h"
#include "kernels/views/edges_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// A place within a block.
struct TextPlace {
    std::uint64_t line = 0; // 1-based
    std::uint64_t column = 0;
};

/// `p max NODES ARCS`.
struct FlowHead {
    std::uint64_t nodes = 0, arcs = 0;
    TextPlace place;
};

/// A node with a class, of a line `n`, `t` or `l`; the class of a source is 0, of a sink 1.
struct NodeLine {
    std::uint32_t node = 0;
    std::uint32_t of = 0;
    TextPlace place;
};

struct GraphBlock {
    PageArray<WeightedEdge> edges; // ids as they stand in the text, in its direction; the first `rows` entries count
    std::uint64_t rows = 0;
    std::uint64_t lines = 0;
    std::uint64_t weighted = 0;   // edges whose line says their weight
    std::uint64_t padded = 0;     // of these, weights such as 011: a 0 and a digit behind it
    std::string first_weight;     // as the first edge writes it, or its front; empty where it says none
    std::optional<FlowHead> head; // the first p line
    std::optional<TextPlace> second_head;
    std::optional<std::uint64_t> said_edges; // by the first comment that says how many there are
    std::uint64_t said_line = 0;             // where it stands
    std::optional<TextPlace> first_arc;      // the first line `a` or `n`
    std::optional<TextPlace> first_listed;   // the first edge of a list, or line `t` or `l`
    std::optional<TextPlace> first_edge;     // of a list
    std::vector<NodeLine> ends;              // of lines `n`
    std::vector<NodeLine> terminals;         // of lines `t`
    std::vector<NodeLine> known;             // of lines `l`
    std::uint32_t most = 0, least = ~0u;     // the largest id of an edge, and the smallest
    TextPlace most_place, least_place;       // where they stand first
    std::optional<TextFault> fault;

    std::uint64_t bytes() const {
        return sizeof(WeightedEdge) * rows + sizeof(NodeLine) * (ends.size() + terminals.size() + known.size());
    }
};

/// `text` ends with a newline. After a fault the arrays hold nothing of use. Reentrant.
GraphBlock parse_graph_block(std::string_view text);

} // namespace hogwild
