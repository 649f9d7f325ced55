// Puts a graph together from the edges of its blocks, as engine/data/graphs/graph.h says. The edges of each pair become
// one, and those of a flow lose their direction.
//
// Thread-safety: reentrant; parallel inside, the same bits at any number of threads. Errors: throws Error for a graph whose
// cuts all cost the same, and for weights that no float holds.
#pragma once

#include "engine/data/graphs/graph.h"
#include "engine/data/graphs/graph_block.h"
#include "engine/data/graphs/graph_nodes.h"

#include <memory>
#include <string>
#include <vector>

namespace hogwild {

/// Takes the blocks' edges. `name` is for messages.
std::shared_ptr<GraphArrays> build_graph(const std::string& name, const GraphNodes& nodes,
                                         std::vector<GraphBlock> blocks);

} // namespace hogwild
