#include "engine/data/graphs/disjoint_sixteens.h"

#include "engine/machine/parallel.h"
#include "kernels/lanes/sixteen_edges.h"

#include <algorithm>

namespace hogwild {

void spread(const EdgesView& graph, std::span<std::uint32_t> numbers, std::uint64_t first,
            std::vector<std::uint32_t>& last_seen) {
    constexpr std::size_t kMostWaiting = 64;
    const std::vector<std::uint32_t> before(numbers.begin(), numbers.end());
    std::vector<std::uint32_t> waiting, still;
    std::uint32_t sixteen = 1; // the number of this one, plus one
    std::size_t next = 0, out = 0;
    const auto take = [&](std::uint32_t number, bool always) {
        const WeightedEdge& edge = graph.edges[number];
        const auto seen = [&](std::uint32_t node) { return node < graph.free && last_seen[node] == sixteen; };
        if (!always && (seen(edge.u) || seen(edge.v))) return false;
        if (edge.u < graph.free) last_seen[edge.u] = sixteen;
        if (edge.v < graph.free) last_seen[edge.v] = sixteen;
        numbers[out++] = number;
        return true;
    };
    while (out < numbers.size()) {
        const std::uint64_t end =
            std::min<std::uint64_t>(((first + out) / kAbreast + 1) * kAbreast - first, numbers.size());
        still.clear();
        for (const std::uint32_t number : waiting) {
            if (out == end || !take(number, false)) still.push_back(number);
        }
        waiting.swap(still);
        while (out < end && next < before.size() && waiting.size() < kMostWaiting) {
            if (!take(before[next], false)) waiting.push_back(before[next]);
            ++next;
        }
        std::size_t late = 0; // hubs: nothing else is left
        while (out < end) take(waiting[late++], true);
        waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(late));
        ++sixteen;
    }
    for (const std::uint32_t number : before) {
        const WeightedEdge& edge = graph.edges[number];
        if (edge.u < graph.free) last_seen[edge.u] = 0;
        if (edge.v < graph.free) last_seen[edge.v] = 0;
    }
}

PageArray<std::uint64_t> apart_bits(const EdgesView& graph) {
    PageArray<std::uint64_t> bits((graph.rows / kAbreast + 63) / 64);
    parallel_for(bits.size(), 64, [&](std::uint64_t begin, std::uint64_t end) {
        std::uint32_t nodes[2 * kAbreast];
        for (std::uint64_t g = begin * 64; g < std::min(end * 64, graph.rows / kAbreast); ++g) {
            std::uint32_t* last = nodes;
            for (const WeightedEdge* edge = graph.edges + g * kAbreast; edge != graph.edges + (g + 1) * kAbreast;
                 ++edge) {
                if (edge->u < graph.free) *last++ = edge->u;
                if (edge->v < graph.free) *last++ = edge->v;
            }
            std::sort(nodes, last);
            if (std::adjacent_find(nodes, last) == last) bits[g / 64] |= std::uint64_t{1} << g % 64;
        }
    });
    return bits;
}

} // namespace hogwild
