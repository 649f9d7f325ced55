// Small random graphs for tests.
#pragma once

#include "kernels/views/edges_view.h"
#include "tests/random_samples.h"

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace hogwild {

/// Owns the edges it views.
struct TestGraph {
    std::vector<WeightedEdge> edges;
    std::uint32_t free = 0;
    std::uint32_t classes = 2;
    std::vector<NodeClass> known{};
    double constant = 0;

    EdgesView view() const {
        EdgesView view{edges.data(), edges.size(), known.data(), known.size(), nullptr, 0, free, classes, 0, 1,
                       constant};
        double sum = 0;
        for (const WeightedEdge& edge : edges) {
            sum += double{edge.weight};
            view.terminal_ends += (edge.u >= free ? 1u : 0u) + (edge.v >= free ? 1u : 0u);
        }
        if (!edges.empty()) view.mean = static_cast<float>(sum / static_cast<double>(edges.size()));
        return view;
    }
};

/// Edges of whole weights up to 9 between nodes drawn uniformly, one in four with a terminal.
inline TestGraph random_graph(std::uint64_t rows, std::uint32_t free, std::uint32_t classes, std::uint64_t seed) {
    TestNumbers numbers(seed);
    TestGraph graph{{}, free, classes};
    while (graph.edges.size() < rows) {
        std::uint32_t u = numbers.bits() % free, v = numbers.bits() % free;
        if (numbers.bits() % 4 == 0) v = free + numbers.bits() % classes;
        if (u == v) continue;
        if (u > v) std::swap(u, v);
        graph.edges.push_back({u, v, static_cast<float>(1 + numbers.bits() % 9)});
    }
    return graph;
}

/// Rows on the simplex, of two classes the first number alone.
inline std::vector<float> random_rows(const EdgesView& data, std::uint64_t seed) {
    TestNumbers numbers(seed);
    std::vector<float> weights;
    for (std::uint32_t node = 0; node < data.free; ++node) {
        std::vector<float> row(data.classes);
        for (float& number : row) number = 0.1f + unit_float(numbers.bits());
        const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
        for (std::uint32_t k = 0; k < data.width(); ++k) weights.push_back(row[k] / sum);
    }
    return weights;
}

} // namespace hogwild
