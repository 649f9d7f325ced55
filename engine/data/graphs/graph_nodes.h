// Which node of a text is which of a graph: terminals last, by their class, the free ones before, in order.
//
// Errors: throws Error for what contradicts itself, at its place. Thread-safety: pure functions.
#pragma once

#include "engine/data/graphs/graph_block.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hogwild {

struct GraphNodes {
    bool flow = false;       // of DIMACS: edges have a direction
    std::uint32_t first = 1; // the first id
    std::uint32_t free = 0;
    std::uint32_t classes = 2;
    std::vector<std::uint32_t> number; // of id first + i
    std::vector<NodeClass> known;      // of free nodes, rising

    std::uint32_t of(std::uint32_t id) const { return number[id - first]; }
};

/// Throws Error for nodes that need more memory than `max_array_bytes`, before it is asked for. So it does for more than four
/// million nodes, of which nearly all are named by no line.
GraphNodes graph_nodes(const std::string& name, const std::vector<GraphBlock>& blocks, std::uint64_t max_array_bytes);

} // namespace hogwild
