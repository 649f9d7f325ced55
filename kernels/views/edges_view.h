// Borrowed memory: a view of a graph's edges, and of what a cut gives to its nodes.
//
//   x_v, a point of the simplex of `classes` numbers, says how much node v belongs to each class
//
// Nodes below `free` are free. Node free + t is the terminal of class t, whose x is fixed at the corner t and has no
// coordinate. The parameter buffer holds the rows x of the free nodes, of `width` coordinates each. With two classes it
// holds only the first number, since the second is one minus it. A node's coordinates are one group; an edge touches
// the groups of its free ends.
//
// A view owns nothing, is copied by value, and lives no longer than its owner (engine/data/dataset.h).
// Any number of threads may read through a view at the same time; nobody may write meanwhile.
#pragma once

#include "kernels/annotate.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hogwild {

/// One sample: the nodes it joins, u < v, and what cutting it costs.
struct WeightedEdge {
    std::uint32_t u;
    std::uint32_t v;
    float weight;
};

/// The class of a free node, known to whoever scores a cut, and not to whoever looks for one.
struct NodeClass {
    std::uint32_t node;
    std::uint32_t is;
};

/// An edge, and which of its ends have coordinates.
struct EdgeOfNodes {
    std::uint32_t u, v; // the former is below the latter
    std::uint32_t free; // nodes from here on are terminals
    std::uint32_t width;
    float weight;

    /// visit(j) for every coordinate that a step on it increments, rising.
    void for_each_coordinate(const auto& visit) const {
        for_each_group([&](std::uint32_t node) {
            for (std::uint32_t k = 0; k < width; ++k) visit(node * width + k);
        });
    }

    /// visit(g) for every group of coordinates that it touches, rising.
    void for_each_group(const auto& visit) const {
        if (u < free) visit(u);
        if (v < free) visit(v);
    }
};

struct EdgesView {
    static constexpr std::string_view kSamples = "edges";
    static constexpr bool kMovable = true;
    static constexpr bool kDrawable = true;
    static constexpr std::uint32_t kMostClasses = 1024;

    /// A power of two: neighbours in tiles of few nodes (engine/data/graphs/edge_tiles.h), and so few that there are 64 blocks of
    /// them.
    static constexpr std::uint32_t together(std::uint64_t rows) {
        std::uint32_t block = 1 << 15;
        while (block > 1024 && rows / block < 64) block /= 2;
        return block;
    }

    const WeightedEdge* edges = nullptr; // `rows` of them
    std::uint64_t rows = 0;
    const NodeClass* known = nullptr; // `known_count` of them
    std::uint64_t known_count = 0;
    const std::uint64_t* apart = nullptr; // bit g: edges 16 g to 16 g + 15 share no free node; of `apart_words` words
    std::uint64_t apart_words = 0;        // 0: nothing is known
    std::uint32_t free = 0;
    std::uint32_t classes = 2;       // 2 to kMostClasses
    std::uint64_t terminal_ends = 0; // ends of edges that are terminals
    float mean = 1;                  // weight of an edge
    double constant = 0;             // weight that every cut cuts beside the edges' (engine/data/graphs/graph.h)

    HOGWILD_HOST_DEVICE std::uint32_t width() const { return classes == 2 ? 1 : classes; }
    HOGWILD_HOST_DEVICE std::uint32_t groups() const { return free; }
    HOGWILD_HOST_DEVICE std::uint32_t coordinates() const { return free * width(); }
    HOGWILD_HOST_DEVICE std::uint64_t nonzeros() const { return (2 * rows - terminal_ends) * width(); }
    HOGWILD_HOST_DEVICE std::uint64_t bytes() const { return rows * sizeof(WeightedEdge); }
    HOGWILD_HOST_DEVICE bool dense() const { return false; }

    /// visit(array, entries) for every array of a view; each may be moved by the visit.
    static void for_each_array(auto& view, const auto& visit) {
        visit(view.edges, view.rows);
        visit(view.known, view.known_count);
        visit(view.apart, view.apart_words);
    }

    /// With the larger number of free nodes of the two.
    EdgesView widened(const EdgesView& other) const {
        EdgesView wide = *this;
        wide.free = other.free > free ? other.free : free;
        return wide;
    }

    std::string_view why_unscored(std::size_t score) const {
        return score == 1 && known_count == 0 ? "no node of known class (a line 'l NODE CLASS')" : "";
    }

    /// Whether the sixteen edges from `first` on, a multiple of 16, are known to share no free node.
    bool are_apart(std::uint32_t first) const {
        const std::uint32_t sixteen = first / 16;
        return sixteen / 64 < apart_words && (apart[sixteen / 64] >> sixteen % 64 & 1) != 0;
    }

    /// visit(begin, end) for every range of coordinates that a group has.
    void for_each_range(std::uint32_t group, const auto& visit) const { visit(group * width(), (group + 1) * width()); }

    HOGWILD_HOST_DEVICE EdgeOfNodes row(std::uint64_t i) const {
        const WeightedEdge& edge = edges[i];
        return {edge.u, edge.v, free, width(), edge.weight};
    }

    HOGWILD_HOST_DEVICE EdgeOfNodes drawn(std::uint64_t i, std::uint64_t, std::uint32_t) const { return row(i); }
};

} // namespace hogwild
