#include "engine/data/graphs/disjoint_sixteens.h"

#include "kernels/lanes/sixteen_edges.h"
#include "tests/random_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

using namespace hogwild;

namespace {

/// By looking at all pairs.
bool are_apart(const TestGraph& graph, std::size_t first) {
    std::set<std::uint32_t> nodes;
    std::size_t ends = 0;
    for (std::size_t i = first; i < first + kAbreast; ++i) {
        for (const std::uint32_t node : {graph.edges[i].u, graph.edges[i].v}) {
            if (node >= graph.free) continue;
            nodes.insert(node);
            ++ends;
        }
    }
    return nodes.size() == ends;
}

/// The graph with its edges in the order that spreading gives them, tile by tile of so many.
TestGraph spread_in(const TestGraph& graph, std::size_t tile) {
    std::vector<std::uint32_t> numbers(graph.edges.size()), last_seen(graph.free);
    std::iota(numbers.begin(), numbers.end(), 0u);
    for (std::size_t begin = 0; begin < numbers.size(); begin += tile)
        spread(graph.view(), {numbers.data() + begin, std::min(tile, numbers.size() - begin)}, begin, last_seen);
    CHECK(std::all_of(last_seen.begin(), last_seen.end(), [](std::uint32_t seen) { return seen == 0; }));
    TestGraph result = graph;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        CHECK(numbers[i] / tile == i / tile);
        result.edges[i] = graph.edges[numbers[i]];
    }
    std::sort(numbers.begin(), numbers.end());
    for (std::uint32_t i = 0; i < numbers.size(); ++i) REQUIRE(numbers[i] == i);
    return result;
}

} // namespace

TEST_CASE("a bit says of sixteen neighbouring edges whether they share a free node") {
    for (const std::uint32_t free : {40u, 400u, 4'000u}) {
        for (const std::size_t rows : {5u, 16u, 1'000u, 2'048u}) {
            const TestGraph graph = random_graph(rows, free, 2, 3);
            const PageArray<std::uint64_t> bits = apart_bits(graph.view());
            EdgesView view = graph.view();
            view.apart = bits.data();
            view.apart_words = bits.size();
            for (std::uint32_t first = 0; first + kAbreast <= rows; first += kAbreast)
                CHECK(view.are_apart(first) == are_apart(graph, first));
            CHECK_FALSE(view.are_apart(static_cast<std::uint32_t>(rows / kAbreast * kAbreast)));
        }
    }
}

TEST_CASE("spreading keeps every edge in its tile, and leaves few sixteens that share a node") {
    const TestGraph graph = random_graph(6'000, 1'500, 2, 4);
    const auto share = [](const TestGraph& of) {
        std::size_t apart = 0;
        for (std::size_t first = 0; first + kAbreast <= of.edges.size(); first += kAbreast)
            apart += are_apart(of, first);
        return static_cast<double>(apart) / static_cast<double>(of.edges.size() / kAbreast);
    };
    CHECK(share(graph) < 0.9);
    CHECK(share(spread_in(graph, 1'000)) > 0.95);
    CHECK(share(spread_in(graph, 6'000)) > 0.99);
}

TEST_CASE("edges of one node cannot be spread, and stay") {
    TestGraph star{{}, 500, 2};
    for (std::uint32_t v = 1; v < 500; ++v) star.edges.push_back({0, v, 1.0f});
    const TestGraph spread = spread_in(star, 1'000);
    CHECK(spread.edges.size() == 499);
    EdgesView view = spread.view();
    const PageArray<std::uint64_t> bits = apart_bits(view);
    CHECK(std::all_of(bits.span().begin(), bits.span().end(), [](std::uint64_t word) { return word == 0; }));
}
