// What tells that a list of edges is a file of METIS, or has its head.
//
// Thread-safe: pure functions.
#pragma once

#include "engine/data/graphs/graph_block.h"

#include <vector>

namespace hogwild {

/// Whether a weight that stands behind NODES and EDGES may be METIS's FORMAT, three digits 0 or 1 at most.
bool may_be_format(float weight);

/// Whether the lines behind the first edge, as many as METIS has nodes, are lists of neighbours: the node of a line, numbered from
/// 1 on, is in the lines of all that it names. A weight of 1 is none here, since edges without one have that.
bool lists_neighbours(const std::vector<GraphBlock>& blocks);

} // namespace hogwild
