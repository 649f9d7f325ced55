// The head of a list of edges, a first line 'NODES EDGES' or 'NODES NODES EDGES' as many programs write it.
//
// A line is one where as many edges follow and none of them, nor a line t or l, names a node beyond NODES. It is no edge then.
// Thread-safe: a pure function of its argument.
#pragma once

#include "engine/data/graphs/graph_block.h"

#include <string>
#include <vector>

namespace hogwild {

/// Makes the head an edge of weight 0 from a node to itself, which a graph does without. Returns what is to be said: that there was
/// one, or that the first line was read as an edge though it looks like one. Empty where there is nothing to say.
std::string take_list_head(std::vector<GraphBlock>& blocks);

} // namespace hogwild
