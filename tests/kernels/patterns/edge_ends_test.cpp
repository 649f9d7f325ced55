#include "kernels/patterns/edge_ends.h"

#include "kernels/lanes/dispatch.h"
#include "kernels/probes/none.h"
#include "kernels/problems/cut.h"
#include "kernels/updates/atomic_add.h"
#include "kernels/updates/guards/locked.h"
#include "kernels/updates/guards/none.h"
#include "kernels/updates/racy.h"
#include "tests/random_graph.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kClasses[] = {2, 3, 5, 16, 19};

using Rows = std::vector<std::vector<double>>; // of all nodes, all numbers

Rows rows_of(const EdgesView& data, const std::vector<float>& weights) {
    Rows rows;
    for (std::uint32_t node = 0; node < data.free; ++node) {
        const float* const row = weights.data() + std::size_t{node} * data.width();
        rows.emplace_back(row, row + data.width());
        if (data.classes == 2) rows.back().push_back(1 - rows.back()[0]);
    }
    for (std::uint32_t t = 0; t < data.classes; ++t) {
        rows.emplace_back(data.classes);
        rows.back()[t] = 1;
    }
    return rows;
}

double loss(const EdgesView& data, const WeightedEdge& edge, const Rows& rows) {
    double sum = 0;
    for (std::uint32_t k = 0; k < data.classes; ++k) sum += std::abs(rows[edge.u][k] - rows[edge.v][k]);
    return 0.5 * double{edge.weight} / double{data.mean} * sum;
}

/// Moves a row against its gradient, taken by central differences: exact between kinks. Then projects it.
std::vector<double> stepped(const EdgesView& data, const WeightedEdge& edge, Rows rows, std::uint32_t node,
                            double size) {
    constexpr double kStep = 1e-6;
    std::vector<double> row = rows[node];
    for (double& number : rows[node]) {
        const double middle = number;
        number = middle + kStep;
        const double above = loss(data, edge, rows);
        number = middle - kStep;
        row[static_cast<std::size_t>(&number - rows[node].data())] -=
            size * (above - loss(data, edge, rows)) / (2 * kStep);
        number = middle;
    }
    project_onto_simplex(row.data(), data.classes);
    return row;
}

struct Walk {
    WorkerContext context;
    std::vector<LockWord> locks;

    template <class Lanes, class Update, class Guard>
    void operator()(const EdgesView& data, const std::vector<std::uint32_t>& samples, std::vector<float>& weights,
                    double size) {
        locks = std::vector<LockWord>(data.free);
        context.locks = locks;
        const Chunk chunk{
            samples.data(), static_cast<std::uint32_t>(samples.size()), 0, false, weights.data(), 1, 1, 1, size, 0, 0};
        steps<Cut, Lanes, Update, Guard, NoProbe>(data, chunk, context);
    }
};

template <class Lanes = ScalarLanes, class Update = Racy, class Guard = NoGuard>
void walk(const EdgesView& data, const std::vector<std::uint32_t>& samples, std::vector<float>& weights, double size) {
    Walk().operator()<Lanes, Update, Guard>(data, samples, weights, size);
}

std::vector<std::uint32_t> all_of(const EdgesView& data) {
    std::vector<std::uint32_t> samples(data.rows);
    std::iota(samples.rbegin(), samples.rend(), 0u); // not as stored
    return samples;
}

struct BodyOfLanes {
    template <class Lanes>
    static void run(const EdgesView& data, const std::vector<std::uint32_t>& samples, std::vector<float>& weights) {
        walk<Lanes>(data, samples, weights, 0.2);
    }
};

/// One batch of all edges, its gradients emitted, ready to be applied by any owner.
struct Batch {
    TestGraph graph;
    std::vector<std::uint32_t> samples;
    std::vector<float> weights;
    std::vector<float> emitted;
    std::vector<std::uint32_t> bounds;

    Batch(std::uint32_t classes, std::vector<std::uint32_t> bounds_)
        : graph(random_graph(60, 16, classes, 5)),
          samples(all_of(graph.view())),
          weights(random_rows(graph.view(), 2)),
          emitted(60 * EdgeEnds::emission(graph.view())),
          bounds(std::move(bounds_)) {
        EdgeEnds::emit<Cut, ScalarLanes>(
            graph.view(), {samples.data(), 60, weights.data(), 1, emitted.data(), owners(), bounds.data(), nullptr});
    }

    std::uint32_t owners() const { return static_cast<std::uint32_t>(bounds.size() - 1); }

    void apply(std::uint32_t owner) {
        EdgeEnds::apply<ScalarLanes>(graph.view(), {samples.data(), 60, weights.data(), -0.01f, emitted.data(),
                                                    owners(), owner, bounds.data(), nullptr});
    }
};

} // namespace

TEST_CASE("a step moves both ends against the gradient of the edge's loss, projects them, and touches nothing else") {
    // oracle 16
    for (const std::uint32_t classes : kClasses) {
        CAPTURE(classes);
        const TestGraph graph = random_graph(80, 12, classes, 3);
        const EdgesView data = graph.view();
        for (std::uint32_t i = 0; i < data.rows; ++i) {
            const std::vector<float> before = random_rows(data, i);
            const Rows rows = rows_of(data, before);
            std::vector<float> after = before;
            walk(data, {i}, after, 0.125);
            for (std::uint32_t node = 0; node < data.free; ++node) {
                const bool moves = node == graph.edges[i].u || node == graph.edges[i].v;
                const std::vector<double> expected =
                    moves ? stepped(data, graph.edges[i], rows, node, 0.125) : rows[node];
                for (std::uint32_t k = 0; k < data.width(); ++k) {
                    const std::size_t j = std::size_t{node} * data.width() + k;
                    if (moves)
                        CHECK(std::abs(double{after[j]} - expected[k]) < 1e-5);
                    else
                        CHECK(after[j] == before[j]);
                }
            }
        }
    }
}

TEST_CASE("an edge between two terminals writes nothing") {
    for (const std::uint32_t classes : {2u, 4u}) {
        const TestGraph graph{{{3, 4, 2.0f}}, 3, classes};
        std::vector<float> weights = random_rows(graph.view(), 1);
        const std::vector<float> before = weights;
        walk(graph.view(), {0}, weights, 1);
        CHECK(weights == before);
    }
}

TEST_CASE("one worker keeps rows on the simplex, and a step brings back one that others have left outside") {
    for (const std::uint32_t classes : kClasses) {
        CAPTURE(classes);
        const TestGraph graph = random_graph(400, 12, classes, 3);
        const EdgesView data = graph.view();
        std::vector<float> weights(data.coordinates(), 1.0f / static_cast<float>(classes));
        for (int epoch = 0; epoch < 5; ++epoch) walk(data, all_of(data), weights, 0.3);
        const auto outside = [&](std::uint32_t node) {
            double sum = 0, most = 0;
            const std::vector<double> row = rows_of(data, weights)[node];
            for (const double number : row) {
                sum += number;
                most = std::max(most, -number);
            }
            return std::max(most, std::abs(sum - 1));
        };
        for (std::uint32_t node = 0; node < data.free; ++node) CHECK(outside(node) < 1e-5);
        const TestGraph one{{{0, 1, 1.0f}}, 12, classes};
        for (float& weight : weights) weight = weight * 1.25f + 0.5f; // two increments where one would have done
        REQUIRE(outside(0) > 0.1);
        walk(one.view(), {0}, weights, 1e-3);
        CHECK(outside(0) < 1e-5);
        CHECK(outside(1) < 1e-5);
    }
}

TEST_CASE("steps have the same bits in a loop of their own, under a guard, on every instruction set, by every policy") {
    // oracles 6 and 11
    for (const std::uint32_t classes : kClasses) {
        CAPTURE(classes);
        const TestGraph graph = random_graph(500, 40, classes, 7);
        const EdgesView data = graph.view();
        const std::vector<std::uint32_t> samples = all_of(data);
        const std::vector<float> start = random_rows(data, 8);
        std::vector<float> scalar = start, guarded = start, atomic = start;
        walk(data, samples, scalar, 0.2);
        CHECK(scalar != start);
        walk<ScalarLanes, Racy, Locked>(data, samples, guarded, 0.2);
        CHECK(guarded == scalar);
        walk<ScalarLanes, AtomicAdd>(data, samples, atomic, 0.2);
        CHECK(atomic == scalar);
        using On = OnLanes<BodyOfLanes, const EdgesView&, const std::vector<std::uint32_t>&, std::vector<float>&>;
        if (best_instruction_set() >= InstructionSet::kAvx2) {
            std::vector<float> avx2 = start;
            On::avx2(data, samples, avx2);
            CHECK(avx2 == scalar);
        }
        if (best_instruction_set() >= InstructionSet::kAvx512) {
            std::vector<float> avx512 = start;
            On::avx512(data, samples, avx512);
            CHECK(avx512 == scalar);
        }
    }
}

TEST_CASE("applying adds factor x gradient, summed over the batch, then projects") { // oracle 13
    for (const std::uint32_t classes : kClasses) {
        CAPTURE(classes);
        Batch batch(classes, {0, 16});
        const EdgesView data = batch.graph.view();
        const Rows before = rows_of(data, batch.weights);
        Rows expected = before;
        for (const std::uint32_t i : batch.samples) {
            const WeightedEdge& edge = batch.graph.edges[i];
            for (std::uint32_t k = 0; k < classes; ++k) {
                const double slope = Cut::slope(before[edge.u][k] - before[edge.v][k]);
                const double by = 0.01 * 0.5 * double{edge.weight} / double{data.mean} * slope;
                expected[edge.u][k] -= by;
                expected[edge.v][k] += by;
            }
        }
        batch.apply(0);
        for (std::uint32_t node = 0; node < data.free; ++node) {
            project_onto_simplex(expected[node].data(), classes);
            for (std::uint32_t k = 0; k < data.width(); ++k)
                CHECK(std::abs(double{batch.weights[node * data.width() + k]} - expected[node][k]) < 1e-5);
        }
    }
}

TEST_CASE("owners together apply every node once, each its own only, with the bits of one owner") { // oracle 12
    for (const std::uint32_t classes : kClasses) {
        Batch alone(classes, {0, 16});
        alone.apply(0);
        const std::uint32_t width = alone.graph.view().width();
        for (const std::vector<std::uint32_t>& bounds :
             {std::vector<std::uint32_t>{0, 9, 16}, {0, 1, 1, 12, 16}, {0, 0, 5, 16, 16}}) {
            Batch shared(classes, bounds);
            const std::vector<float> before = shared.weights;
            for (std::uint32_t owner = 0; owner < shared.owners(); ++owner) {
                shared.apply(owner);
                for (std::uint32_t j = 0; j < 16 * width; ++j)
                    CHECK(shared.weights[j] == (j / width < bounds[owner + 1] ? alone.weights : before)[j]);
            }
        }
    }
}

TEST_CASE("the mean loss of edges is the mean of their losses, with their share of what every cut costs") {
    for (const std::uint32_t classes : kClasses) {
        TestGraph graph = random_graph(40, 12, classes, 3);
        graph.constant = 20;
        const EdgesView data = graph.view();
        const std::vector<float> weights = random_rows(data, 5);
        const std::vector<std::uint32_t> samples{3, 1, 7};
        double expected = 0;
        for (const std::uint32_t i : samples) expected += loss(data, graph.edges[i], rows_of(data, weights)) / 3;
        expected += 20.0 / 40 / double{data.mean};
        CHECK(EdgeEnds::mean_loss<Cut>(data, samples.data(), 3, weights.data(), 1) ==
              doctest::Approx(expected).epsilon(1e-6));
        CHECK(EdgeEnds::mean_loss<Cut>(data, samples.data(), 0, weights.data(), 1) == 0);
    }
}

TEST_CASE("free nodes begin in all classes alike") {
    const TestGraph graph = random_graph(10, 5, 4, 1);
    for (std::uint32_t j = 0; j < graph.view().coordinates(); ++j)
        CHECK(EdgeEnds::initial(graph.view(), j, j) == 0.25f);
}
