// Sixteen neighbouring edges that share no free node, which vectors step on at once (kernels/lanes/sixteen_edges.h).
//
// Thread-safety: pure functions.
#pragma once

#include "engine/memory/pages.h"
#include "kernels/views/edges_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hogwild {

/// Reorders edges so that those of each sixteen share no free node where that can be: an edge that would waits for the next
/// sixteen. `first`: the place of the first among all, of which every 16th begins a sixteen. `last_seen`: for each node 0, and
/// so again at the end.
void spread(const EdgesView& graph, std::span<std::uint32_t> numbers, std::uint64_t first,
            std::vector<std::uint32_t>& last_seen);

/// Bit g: edges 16 g to 16 g + 15 are there, and share no free node.
PageArray<std::uint64_t> apart_bits(const EdgesView& graph);

} // namespace hogwild
