#include "engine/record/evaluate.h"

#include "engine/machine/parallel.h"
#include "engine/record/cut_rounding.h"
#include "tests/random_graph.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace hogwild;

namespace {

Losses evaluated(const EdgesView& data, const std::vector<float>& weights) {
    const float* const snapshot = weights.data();
    return evaluate("cut", data, {&snapshot, 1})[0];
}

double number(const EdgesView& data, const std::vector<float>& weights, std::uint32_t node, std::uint32_t k) {
    if (node >= data.free) return node - data.free == k ? 1 : 0;
    if (data.classes > 2) return double{weights[node * data.classes + k]};
    return k == 0 ? double{weights[node]} : 1 - double{weights[node]};
}

} // namespace

TEST_CASE(
    "the loss of a graph is the share of its weight that is cut, in double, and its scores are the rounded cut's") {
    for (const std::uint32_t classes : {2u, 3u, 18u}) {
        TestGraph graph = random_graph(50'000, 300, classes, 4);
        graph.constant = 1'000;
        graph.known = {{3, 0}, {4, 1}};
        const EdgesView data = graph.view();
        const std::vector<float> weights = random_rows(data, 5);
        long double sum = graph.constant, all = 0;
        for (const WeightedEdge& edge : graph.edges) {
            long double cut = 0;
            for (std::uint32_t k = 0; k < classes; ++k)
                cut += std::abs(number(data, weights, edge.u, k) - number(data, weights, edge.v, k));
            sum += edge.weight * cut / 2;
            all += edge.weight;
        }
        const Losses found = evaluated(data, weights);
        CHECK(found.mean_loss == doctest::Approx(static_cast<double>(sum / all)).epsilon(1e-6)); // the mean is a float
        const RoundedCut cut = round_cut(data, weights.data());
        CHECK(found.scores[0] == cut.value);
        CHECK(found.scores[1] == cut_accuracy(data, cut.classes));
        CHECK(std::isnan(found.scores[2]));
    }
}

TEST_CASE("rows a little outside the simplex are projected before they are judged") {
    const TestGraph two{{{0, 1, 4.0f}}, 2, 2}, three{{{0, 1, 4.0f}}, 2, 3};
    CHECK(evaluated(two.view(), {1.5f, -0.25f}).mean_loss == 1);
    CHECK(evaluated(three.view(), {1.5f, 0, 0, 0, 0, 1.25f}).mean_loss == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("losses of a graph have the same bits at any number of threads, alone or among others") {
    for (const std::uint32_t classes : {2u, 5u}) {
        const TestGraph graph = random_graph(60'000, 20'000, classes, 4);
        const EdgesView data = graph.view();
        const std::vector<float> weights = random_rows(data, 5);
        const unsigned before = parallelism();
        set_parallelism(1);
        const Losses one = evaluated(data, weights);
        for (const unsigned threads : {2u, 5u}) {
            set_parallelism(threads);
            const Losses many = evaluated(data, weights);
            CHECK(many.mean_loss == one.mean_loss);
            CHECK(many.scores[0] == one.scores[0]);
        }
        set_parallelism(before);
        const float* const snapshots[] = {weights.data(), weights.data()};
        for (const Losses& each : evaluate("cut", data, snapshots)) CHECK(each.mean_loss == one.mean_loss);
    }
}

TEST_CASE("a node's number that is not finite is a loss of infinity, also where no edge looks") {
    TestGraph graph = random_graph(10, 4, 2, 4);
    graph.edges.clear();
    graph.edges.push_back({0, 1, 1.0f});
    std::vector<float> weights(4, 0.5f);
    CHECK(std::isfinite(evaluated(graph.view(), weights).mean_loss));
    weights[3] = std::numeric_limits<float>::infinity();
    CHECK(evaluated(graph.view(), weights).mean_loss == std::numeric_limits<double>::infinity());
}

TEST_CASE("no edges have no loss") {
    const TestGraph none{{}, 4, 2};
    CHECK(std::isnan(evaluated(none.view(), std::vector<float>(4)).mean_loss));
}
