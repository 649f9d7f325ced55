// The head of a list of edges, which is its first edge but for that: 'NODES EDGES' or 'NODES NODES EDGES', as many programs write it.
//
// One is a head where as many edges follow and none of them, nor a line t or l, names a node beyond NODES. It is no edge then.
// Lines t and l may stand before it. What nearly fits is an edge, and said: 'EDGES NODES', or twice as many edges.
//
// A file of METIS has the head 'NODES EDGES [FORMAT]', and behind it, for each node, a line of its neighbours. Such a file is
// refused, and so is that head with a format before a list of edges. FORMAT is digits 0 and 1. 011 is one wherever it stands, if
// no other weight is written so.
//
// Thread-safe: a pure function of its arguments. Source: Karypis, "METIS, a software package for partitioning unstructured graphs,
// version 5.1.0", 2013, section 4.1.1, for its files.
#pragma once

#include "engine/data/graphs/graph_block.h"

#include <string>
#include <vector>

namespace hogwild {

/// Makes the head an edge of weight 0 from a node to itself, which a graph does without. Returns what is to be said: that there was
/// one, or that the first edge was read as one though it looks like a head. Empty where there is nothing to say. Errors: Error at
/// `name:line:column` for a head of METIS.
std::string take_list_head(const std::string& name, std::vector<GraphBlock>& blocks);

} // namespace hogwild
