// Tiles of edges: those between one block of neighbouring nodes and another, or a terminal.
//
// A graph of an image or a volume, its nodes row by row, has few tiles, near the diagonal. Where nodes are joined at
// random every pair of blocks is one. Blocks begin with 512 nodes, and are doubled until tiles hold kFewest edges on
// average. Such tiles are small enough for a core's own cache, and large enough for an order that is random within
// them. Only tiles that hold an edge are numbered, in the order of their blocks. Thread-safety: immutable after
// construction. Memory: three bits for each pair of blocks, at most 2^28 pairs.
#pragma once

#include "kernels/views/edges_view.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace hogwild {

class EdgeTiles {
public:
    static constexpr std::uint64_t kFewest = 256;

    explicit EdgeTiles(const EdgesView& data);

    /// That hold an edge.
    std::uint64_t count() const { return count_; }

    /// The tile of an edge of the graph.
    std::uint64_t of(const WeightedEdge& edge) const {
        const std::uint64_t pair = pair_of(edge);
        const std::uint64_t below = (std::uint64_t{1} << pair % 64) - 1;
        return before_[pair / 64] + static_cast<std::uint64_t>(std::popcount(used_[pair / 64] & below));
    }

private:
    std::uint64_t pair_of(const WeightedEdge& edge) const {
        const std::uint64_t u = edge.u >> shift_, v = edge.v < free_ ? edge.v >> shift_ : u;
        return u * across_ + v;
    }

    std::uint32_t free_;
    unsigned shift_ = 9;       // a block has 2^shift nodes
    std::uint64_t across_ = 0; // blocks
    std::uint64_t count_ = 0;
    std::vector<std::uint64_t> used_;   // a bit for each pair of blocks
    std::vector<std::uint32_t> before_; // tiles before each word of these
};

} // namespace hogwild
