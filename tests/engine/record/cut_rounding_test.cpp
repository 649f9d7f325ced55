#include "engine/record/cut_rounding.h"

#include "engine/machine/parallel.h"
#include "tests/random_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace hogwild;

namespace {

/// The weight between nodes of different classes, in double.
double value_of(const TestGraph& graph, const std::vector<std::uint16_t>& classes) {
    double sum = graph.constant;
    const auto of = [&](std::uint32_t node) { return node < graph.free ? classes[node] : node - graph.free; };
    for (const WeightedEdge& edge : graph.edges) sum += of(edge.u) != of(edge.v) ? double{edge.weight} : 0;
    return sum;
}

} // namespace

TEST_CASE("a cut of two classes is the best of all thresholds, and its value the weight that it cuts") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        TestGraph graph = random_graph(200, 30, 2, seed);
        graph.constant = 7;
        const std::vector<float> weights = random_rows(graph.view(), seed);
        const RoundedCut cut = round_cut(graph.view(), weights.data());
        CHECK(cut.value == value_of(graph, cut.classes));
        double best = std::numeric_limits<double>::infinity();
        for (int k = 0; k < 256; ++k) {
            std::vector<std::uint16_t> classes;
            for (const float x : weights) classes.push_back(double{x} > (k + 0.5) / 256 ? 0 : 1);
            best = std::min(best, value_of(graph, classes));
        }
        CHECK(cut.value == best);
    }
}

TEST_CASE("a cut of several classes is no worse than every node's largest number") {
    for (const std::uint32_t classes : {3u, 7u}) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const TestGraph graph = random_graph(200, 30, classes, seed);
            const std::vector<float> weights = random_rows(graph.view(), seed);
            const RoundedCut cut = round_cut(graph.view(), weights.data());
            CHECK(cut.value == value_of(graph, cut.classes));
            std::vector<std::uint16_t> largest;
            for (std::uint32_t node = 0; node < 30; ++node) {
                const auto row = weights.begin() + node * classes;
                largest.push_back(static_cast<std::uint16_t>(std::max_element(row, row + classes) - row));
            }
            CHECK(cut.value <= value_of(graph, largest));
        }
    }
}

TEST_CASE("a cut at the corners is that cut") {
    for (const std::uint32_t classes : {2u, 4u}) {
        const TestGraph graph = random_graph(300, 40, classes, 5);
        const std::uint32_t width = graph.view().width();
        TestNumbers numbers(3);
        std::vector<std::uint16_t> chosen;
        std::vector<float> weights(graph.view().coordinates());
        for (std::uint32_t node = 0; node < 40; ++node) {
            chosen.push_back(static_cast<std::uint16_t>(numbers.bits() % classes));
            if (chosen[node] < width) weights[node * width + chosen[node]] = 1;
        }
        const RoundedCut cut = round_cut(graph.view(), weights.data());
        CHECK(cut.classes == chosen);
        CHECK(cut.value == value_of(graph, chosen));
    }
}

TEST_CASE("rows outside the simplex, or that are no numbers, round to something") {
    const TestGraph graph = random_graph(100, 10, 2, 5);
    constexpr float kInf = std::numeric_limits<float>::infinity();
    const std::vector<float> weights{-1, 2, 1e30f, -1e30f, std::nanf(""), kInf, -kInf, 0, 1, 0.5f};
    const RoundedCut cut = round_cut(graph.view(), weights.data());
    CHECK(cut.classes[0] == 1);
    CHECK(cut.classes[1] == 0);
    CHECK(cut.classes[2] == 0);
    CHECK(cut.classes[3] == 1);
    CHECK(cut.value == value_of(graph, cut.classes));
}

TEST_CASE("accuracy is the share of known classes that are found") {
    TestGraph graph = random_graph(100, 10, 3, 5);
    const std::vector<std::uint16_t> classes{0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    CHECK(std::isnan(cut_accuracy(graph.view(), classes)));
    graph.known = {{0, 0}, {1, 1}, {2, 1}, {9, 0}};
    CHECK(cut_accuracy(graph.view(), classes) == 0.75);
}

TEST_CASE("a cut is the same at any number of threads") {
    for (const std::uint32_t classes : {2u, 3u}) {
        const TestGraph graph = random_graph(100'000, 30'000, classes, 5);
        const std::vector<float> weights = random_rows(graph.view(), 6);
        const unsigned before = parallelism();
        set_parallelism(1);
        const RoundedCut one = round_cut(graph.view(), weights.data());
        set_parallelism(3);
        const RoundedCut three = round_cut(graph.view(), weights.data());
        set_parallelism(before);
        CHECK(one.value == three.value);
        CHECK(one.classes == three.classes);
    }
}
