// Whole runs of synchronous batches of ratings, edges and text on a GPU, beside the CPU's.
#include "engine/data/synthetic/synthetic_graph.h"
#include "engine/plan/plan.h"
#include "tests/device.h"
#include "tests/engine/toys/toy_graph.h"
#include "tests/engine/toys/toy_ratings.h"
#include "tests/engine/toys/toy_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

Plan on_gpu(Plan plan) {
    plan.device = "gpu";
    plan.memory = "device";
    return plan;
}

/// As many observations of as many samples, losses that differ by rounding alone, and the GPU's bits again at the next run.
void check_as_on_cpu(const Plan& plan, const Dataset& data, double epsilon = 1e-4) {
    const Outcome expected = run(plan, {data}), outcome = run(on_gpu(plan), {data});
    CHECK(outcome.status == "done");
    CHECK(outcome.gpu.updates == outcome.updates);
    CHECK(outcome.weights == run(on_gpu(plan), {data}).weights);
    REQUIRE(outcome.observations.size() == expected.observations.size());
    for (std::size_t i = 0; i < outcome.observations.size(); ++i) {
        CHECK(outcome.observations[i].updates == expected.observations[i].updates);
        CHECK(outcome.observations[i].train_loss ==
              doctest::Approx(expected.observations[i].train_loss).epsilon(epsilon));
    }
    CHECK(outcome.observations.back().train_loss < outcome.observations.front().train_loss);
}

/// Off by no more than a share of each weight, or of 1.
void check_close(const std::vector<float>& found, const std::vector<float>& expected, double epsilon) {
    REQUIRE(found.size() == expected.size());
    std::size_t off = 0;
    for (std::size_t j = 0; j < found.size(); ++j)
        off +=
            std::abs(double{found[j]} - double{expected[j]}) <= epsilon * std::max(1.0, std::abs(double{expected[j]}))
                ? 0
                : 1;
    CHECK(off == 0);
}

} // namespace

TEST_CASE("minibatch on a GPU learns ratings as on a CPU, whatever the model, its damping and its step sizes") {
    if (no_device()) return;
    const Dataset data = counted_dataset(random_ratings(10'007, 400, 90, {.mean = 3}, 2)); // the last batch is short
    Plan plan = ratings_plan("minibatch", 2);
    plan.batch.size = 64;
    plan.step.size = 2;
    for (const std::vector<double>& model : {std::vector<double>{8, 1, 0}, {13, 0, 0}, {32, 1, 20}}) {
        for (const std::string step : {"decay", "backoff"}) {
            plan.parameters = model;
            plan.step.kind = step;
            check_as_on_cpu(plan, data);
        }
    }
}

TEST_CASE("a batch of ratings leaves alone what it does not touch, however large the model") {
    if (no_device()) return;
    const Dataset data = ratings_dataset(random_ratings(64, 200'000, 100'000, {.mean = 3}, 2));
    Plan plan = ratings_plan("minibatch", 2);
    plan.epochs = 1;
    plan.batch.size = 32;
    check_close(weights_of(on_gpu(plan), data), weights_of(plan, data), 1e-6);
}

TEST_CASE("minibatch on a GPU sums the gradients of large ratings without overflow") {
    if (no_device()) return;
    TestRatings ratings = random_ratings(4'096, 1, 3, {.mean = 3e5f}, 2); // all of one user
    for (Rating& rating : ratings.ratings) rating.value = 6e5f;
    const Dataset data = ratings_dataset(std::move(ratings));
    Plan plan = ratings_plan("minibatch", 2);
    plan.l2 = 0;
    plan.step.kind = "constant";
    plan.step.size = 1e-6; // of slopes of 3e5
    plan.batch.size = 4'096;
    check_close(weights_of(on_gpu(plan), data), weights_of(plan, data), 1e-4);
}

TEST_CASE("where no sum rounds, minibatch on a GPU cuts two classes with the CPU's bits") {
    if (no_device()) return;
    TestGraph graph = random_graph(4'096, 300, 2, 3);
    for (WeightedEdge& edge : graph.edges) edge.weight = 2; // half of it over the mean: 1/2
    const Dataset data = graph_dataset(graph);
    Plan plan = cut_plan("minibatch", 2);
    plan.batch.size = 64;
    plan.step.kind = "constant";
    plan.step.size = 1; // numbers are multiples of 1/128
    const Outcome expected = run(plan, {data}), outcome = run(on_gpu(plan), {data});
    CHECK(outcome.weights == expected.weights);
    CHECK(outcome.observations.back().train_loss == expected.observations.back().train_loss);
}

TEST_CASE("minibatch on a GPU cuts a graph as on a CPU, and leaves every row on the simplex") {
    if (no_device()) return;
    for (const std::string name : {"synthetic:grid=32x32", "synthetic:entities=6,mentions=300"}) {
        CAPTURE(name);
        const Dataset data = generate(parse_synthetic_graph(name, 5), "graph");
        const Plan plan = long_cut_plan("minibatch", 2);
        // Rounding decides the signs of differences near zero, of which there are many at the end.
        check_as_on_cpu(plan, data, 0.05);
        const Outcome outcome = run(on_gpu(plan), {data});
        const std::uint32_t width = data.view().as<EdgesView>().width();
        for (std::size_t j = 0; j < outcome.weights.size(); j += width) {
            double sum = 0, least = 1;
            for (std::size_t k = 0; k < width; ++k) {
                sum += outcome.weights[j + k];
                least = std::min(least, double{outcome.weights[j + k]});
            }
            CHECK(least >= 0);
            CHECK((width == 1 ? sum <= 1 : std::abs(sum - 1) < 1e-5));
        }
    }
}

TEST_CASE("minibatch on a GPU learns words as on a CPU, in any order, with negatives shared or not") {
    if (no_device()) return;
    const Dataset data = text_dataset(two_topics());
    Plan plan = text_plan("minibatch", 2);
    plan.batch.size = 64;
    plan.step.size = 0.4;
    for (const std::string order : {"permutation", "stored"}) {
        for (const std::vector<double>& model :
             {std::vector<double>{8, 5, 5, 0, 1}, {30, 5, 5, 1e-2, 0}, {200, 3, 8, 0, 1}}) {
            plan.order = order;
            plan.parameters = model;
            check_as_on_cpu(plan, data);
        }
    }
}

TEST_CASE("a step of a batch that is too large is a diverged run or a poor one, never a crash") {
    if (no_device()) return;
    for (const auto& [plan, data] :
         {std::pair{ratings_plan("minibatch"), ratings_dataset(random_ratings(1'000, 30, 20, {.mean = 3}, 2))},
          {cut_plan("minibatch"), graph_dataset(random_graph(2'000, 40, 5, 1))},
          {text_plan("minibatch"), text_dataset(two_topics())}}) {
        CAPTURE(plan.problem);
        Plan large = on_gpu(plan);
        large.step.size = 1e20;
        large.l2 = 0;
        const Outcome outcome = run(large, {data});
        CHECK((outcome.status == "diverged" || (plan.problem == "cut" && outcome.status == "done")));
    }
}
