// What a comment says of a list of edges, as `# Nodes: 7115 Edges: 103689` in the files of SNAP.
//
// Thread-safe: pure functions. Source: https://snap.stanford.edu/data/.
#pragma once

#include "engine/data/graphs/graph_block.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// How many edges a comment's line says there are: of one that holds both `Nodes: N` and `Edges: M`, in letters of either case.
std::optional<std::uint64_t> said_edges(std::string_view line);

/// What is to be said where a list has another number of edges than its first such comment says. Twice as many are
/// right too, of a list with both directions. Empty where there is nothing to say.
std::string said_counts_note(const std::vector<GraphBlock>& blocks);

} // namespace hogwild
