#include "kernels/patterns/sparse_rows.h"

#include "kernels/lanes/scalar.h"
#include "kernels/probes/none.h"
#include "kernels/problems/hinge.h"
#include "kernels/problems/squared.h"
#include "kernels/updates/guards/none.h"
#include "kernels/updates/racy.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

// Parts that do nothing but note when they were called.
std::string calls;

struct NotedLanes {
    static float dot(const float* weights, const SparseRow& row) {
        calls += "dot ";
        return ScalarLanes::dot(weights, row);
    }
};

struct NotedUpdate {
    explicit NotedUpdate(WorkerContext&) {}
    template <class Lanes>
    void add_row(float*, const SparseRow&, float) const {
        calls += "add ";
    }
};

struct NotedGuard {
    explicit NotedGuard(WorkerContext&) {}
    void before_read(const SparseRow&) { calls += "before-read "; }
    void before_write(const SparseRow&) { calls += "before-write "; }
    void after_write(const SparseRow&) { calls += "after-write "; }
    void nothing_to_write(const SparseRow&) { calls += "nothing-to-write "; }
};

struct NotedProbe {
    explicit NotedProbe(WorkerContext&) {}
    void read() { calls += "read "; }
    void computed() { calls += "computed "; }
    template <class Update>
    void wrote(const SparseRow&, const Update&) {
        calls += "wrote ";
    }
};

Chunk half_step_chunk(const std::vector<std::uint32_t>& rows, std::vector<float>& weights) {
    Chunk chunk;
    chunk.samples = rows.data();
    chunk.count = static_cast<std::uint32_t>(rows.size());
    chunk.ahead = 0;
    chunk.primed = false;
    chunk.weights = weights.data();
    chunk.scale = 1;
    chunk.decay = 1;
    chunk.skip = 1;
    chunk.step = 0.5;
    return chunk;
}

} // namespace

TEST_CASE("a guard encloses what it guards, and a step that writes nothing says so") {
    TestSamples samples;
    samples.columns = 1;
    samples.add(1.0f, {0}, {0.0f}); // hinge at margin 0: a slope
    samples.add(1.0f, {0}, {2.0f}); // at margin 2: none
    std::vector<float> weights{1.0f};
    const std::vector<std::uint32_t> rows{0, 1};
    WorkerContext context;
    calls.clear();
    steps<Hinge, NotedLanes, NotedUpdate, NotedGuard, NotedProbe>(samples.view(), half_step_chunk(rows, weights),
                                                                  context);
    CHECK(calls == "before-read read dot computed before-write add wrote after-write "
                   "before-read read dot computed nothing-to-write ");
}

TEST_CASE("a step moves scale x buffer by the L2 decay and by -step x slope x sample") {
    TestNumbers numbers(2);
    const TestSamples samples = random_samples(200, 30, 5, 6);
    std::vector<std::uint32_t> rows(200);
    std::iota(rows.begin(), rows.end(), 0u);
    std::vector<float> buffer = numbers.vector<float>(30);
    Chunk chunk = half_step_chunk(rows, buffer);
    chunk.scale = 0.25;
    chunk.decay = 0.99;
    chunk.skip = 0.98; // others' steps in between, elsewhere
    chunk.step = 0.1;
    std::vector<double> expected(30);
    for (std::size_t j = 0; j < 30; ++j) expected[j] = chunk.scale * buffer[j];
    for (const std::uint32_t i : rows) {
        const SparseRow row = samples.view().row(i);
        double margin = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) margin += expected[row.index[k]] * row.value[k];
        for (double& w : expected) w *= chunk.decay;
        for (std::uint32_t k = 0; k < row.size; ++k)
            expected[row.index[k]] -= chunk.step * (margin - row.label) * row.value[k];
        for (double& w : expected) w *= chunk.skip;
    }
    WorkerContext context;
    steps<Squared, ScalarLanes, Racy, NoGuard, NoProbe>(samples.view(), chunk, context);
    const double scale = chunk.scale * std::pow(chunk.decay * chunk.skip, 200);
    double difference = 0, size = 0;
    for (std::size_t j = 0; j < 30; ++j) {
        difference += std::pow(scale * buffer[j] - expected[j], 2);
        size += expected[j] * expected[j];
    }
    // Each step rounds its sums and its margin a few times by 2^-24, and steps contract: 200 steps of at most ten roundings.
    CHECK(std::sqrt(difference / size) < 200 * 10 * 0x1p-24);
}

TEST_CASE("rows asked for ahead are not stepped on, and change nothing") {
    const TestSamples samples = random_samples(100, 30, 5, 7);
    std::vector<std::uint32_t> rows(100);
    std::iota(rows.begin(), rows.end(), 0u);
    std::vector<float> alone(30), followed(30);
    Chunk chunk = half_step_chunk(rows, alone);
    chunk.count = 60;
    WorkerContext context;
    steps<Squared, ScalarLanes, Racy, NoGuard, NoProbe>(samples.view(), chunk, context);
    chunk.weights = followed.data();
    chunk.ahead = 40;
    chunk.primed = true;
    steps<Squared, ScalarLanes, Racy, NoGuard, NoProbe>(samples.view(), chunk, context);
    CHECK(alone == followed);
}

TEST_CASE("a step without a slope shrinks the weights like any other, others' steps in between included") {
    TestSamples samples;
    samples.columns = 1;
    samples.add(0.0f, {}, {}); // squared at margin 0, label 0: no slope
    samples.add(1.0f, {0}, {1.0f});
    std::vector<float> buffer{8.0f};
    const std::vector<std::uint32_t> rows{0, 1};
    Chunk chunk = half_step_chunk(rows, buffer);
    chunk.decay = 0.5;
    chunk.skip = 0.5;
    WorkerContext context;
    steps<Squared, ScalarLanes, Racy, NoGuard, NoProbe>(samples.view(), chunk, context);
    // Before the second sample the scale is 1/4: margin 2, slope 1; after its decay 1/8: v <- 8 - (1/2) / (1/8).
    CHECK(buffer[0] == 4.0f);
}
