#include "engine/optimum/optimum.h"

#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "engine/optimum/known_problem.h"
#include "engine/record/evaluate.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace hogwild;

namespace {

double objective(std::string_view name, const SparseView& data, const std::vector<double>& weights, double l2) {
    return evaluate(name, data, std::span<const double>(weights)).objective(l2);
}

bool smooth(std::string_view name) {
    return with_linear_problem(name, []<class P>(P) { return P::curvature > 0; });
}

constexpr double kRounding = 1e-13; // of F, which is near 1 here: sums of a few hundred terms

} // namespace

TEST_CASE("one weight has the optimum that pencil and paper give") {
    TestSamples samples;
    samples.columns = 1;
    samples.add(1, {0}, {2});
    // hinge: max(0, 1 - 2 w) + l/2 w^2 is least at the kink w = 1/2 while l <= 4, then at w = 2/l.
    CHECK(solve("hinge", samples.view(), 1.0).weights[0] == doctest::Approx(0.5).epsilon(1e-6));
    CHECK(solve("hinge", samples.view(), 1.0).value == doctest::Approx(0.125).epsilon(1e-8));
    CHECK(solve("hinge", samples.view(), 8.0).weights[0] == doctest::Approx(0.25).epsilon(1e-6));
    CHECK(solve("hinge", samples.view(), 8.0).value == doctest::Approx(0.75).epsilon(1e-8));
    // squared: (2 w - 1)^2 / 2 + l/2 w^2 is least at w = 2 / (4 + l).
    CHECK(solve("squared", samples.view(), 1.0).weights[0] == doctest::Approx(0.4).epsilon(1e-8));
    CHECK(solve("squared", samples.view(), 1.0).value == doctest::Approx(0.1).epsilon(1e-8));
    // logistic: stationary where l w = 2 / (1 + e^(2 w)); at w = 1 for l = 2 / (1 + e^2).
    const double l2 = 2 / (1 + std::exp(2.0));
    CHECK(solve("logistic", samples.view(), l2).weights[0] == doctest::Approx(1).epsilon(1e-4));
    CHECK(solve("logistic", samples.view(), l2).value ==
          doctest::Approx(std::log1p(std::exp(-2.0)) + l2 / 2).epsilon(1e-8));
}

TEST_CASE("a certified gap is true, however early the solver stops") { // oracle 17
    for (const std::string_view name : catalog::names<LinearProblems>) {
        for (const double l2 : {1.0, 1e-2, 1e-4}) {
            const TestSamples samples = random_samples(300, 40, 6, 21);
            const SparseView data = samples.view();
            CAPTURE(std::string(name));
            CAPTURE(l2);
            const Optimum best = solve(name, data, l2, {.relative_gap = 1e-11});
            CHECK(best.converged);
            CHECK(best.gap <= 1e-11 * (best.initial - best.value) + 1e-14);
            CHECK(best.initial ==
                  doctest::Approx(objective(name, data, std::vector<double>(data.columns), l2)).epsilon(kRounding));
            for (const std::uint64_t passes : {1, 4, 8, 16, 64}) {
                CAPTURE(passes);
                const Optimum early = solve(name, data, l2, {.relative_gap = 0, .max_passes = passes});
                CHECK(early.value == doctest::Approx(objective(name, data, early.weights, l2)).epsilon(kRounding));
                CHECK(early.value >= best.lower - kRounding);
                CHECK(early.lower <= best.value + kRounding);
                CHECK(early.gap == doctest::Approx(early.value - early.lower));
                CHECK(early.value - best.value <= early.gap + kRounding);
            }
        }
    }
}

TEST_CASE("the gradient bound is never below the true gap") { // oracle 17
    const TestSamples samples = random_samples(200, 20, 5, 22);
    const SparseView data = samples.view();
    TestNumbers numbers(23);
    for (const std::string_view name : catalog::names<LinearProblems>) {
        for (const double l2 : {1.0, 1e-3}) {
            const Optimum best = solve(name, data, l2, {.relative_gap = 1e-11});
            for (const double distance : {1e-3, 1e-1, 1.0, 10.0}) {
                std::vector<double> weights = numbers.vector<double>(data.columns, distance);
                for (std::size_t j = 0; j < weights.size(); ++j) weights[j] += best.weights[j];
                const double bound = gradient_bound(name, data, l2, weights);
                CHECK(std::isnan(bound) == !smooth(name));
                if (smooth(name)) CHECK(bound >= objective(name, data, weights, l2) - best.value - kRounding);
            }
        }
    }
}

TEST_CASE("the gradient bound is the gap itself where only the regulariser acts") {
    TestSamples samples;
    samples.columns = 2;
    samples.add(1, {}, {});
    const double weights[] = {3, 4}; // F(w) - F* = l/2 |w|^2 = |l w|^2 / (2 l)
    CHECK(gradient_bound("logistic", samples.view(), 0.5, weights) == doctest::Approx(0.25 * 25));
    CHECK(gradient_bound("squared", samples.view(), 2.0, weights) == doctest::Approx(25));
}

TEST_CASE("a bound is the tighter of what is known, and none when nothing is") {
    TestSamples samples;
    samples.columns = 1;
    samples.add(1, {}, {});
    const SparseView data = samples.view();
    const double weights[] = {2};
    CHECK(optimality_bound(1.5, 1.0) == 0.5);
    CHECK(optimality_bound(1.0, 1.5) == 0);
    CHECK(std::isnan(optimality_bound(1.0, kNone)));
    CHECK(optimality_bound("squared", data, 0.5, weights, 1.5, 1.25) == 0.25);
    CHECK(optimality_bound("squared", data, 0.5, weights, 1.5, 0.0) == 1.0); // l/2 w^2
    CHECK(optimality_bound("squared", data, 0.5, weights, 1.5, kNone) == 1.0);
    CHECK(optimality_bound("hinge", data, 0.5, weights, 1.5, 1.0) == 0.5);
    CHECK(std::isnan(optimality_bound("hinge", data, 0.5, weights, 1.5, kNone)));
    CHECK(std::isnan(optimality_bound("squared", data, 0.0, weights, 1.5, kNone)));
}

TEST_CASE("the optimum has the same bits at any thread count") {
    const TestSamples samples = random_samples(3000, 50, 10, 24);
    const unsigned before = parallelism();
    for (const std::string_view name : catalog::names<LinearProblems>) {
        set_parallelism(1);
        const Optimum one = solve(name, samples.view(), 1e-3);
        for (const unsigned threads : {2u, 8u}) {
            set_parallelism(threads);
            const Optimum many = solve(name, samples.view(), 1e-3);
            CHECK(many.weights == one.weights);
            CHECK(many.value == one.value);
            CHECK(many.lower == one.lower);
            CHECK(many.passes == one.passes);
        }
    }
    set_parallelism(before);
}

TEST_CASE("without a regulariser nothing is certified") {
    const TestSamples samples = random_samples(300, 10, 5, 25);
    for (const std::string_view name : catalog::names<LinearProblems>) {
        if (smooth(name)) {
            const Optimum best = solve(name, samples.view(), 0.0);
            CHECK_FALSE(best.converged);
            CHECK(std::isnan(best.lower));
            CHECK(std::isnan(best.gap));
            CHECK(best.value < best.initial);
        } else {
            CHECK_THROWS_AS(solve(name, samples.view(), 0.0), Error);
        }
        CHECK_THROWS_AS(solve(name, samples.view(), -1.0), Error);
        CHECK_THROWS_AS(solve(name, samples.view(), std::numeric_limits<double>::infinity()), Error);
        CHECK_THROWS_AS(solve(name, SparseView{}, 1.0), Error);
    }
}

TEST_CASE("samples that teach nothing have their optimum at the origin") {
    TestSamples samples;
    samples.columns = 3;
    for (const float x : {0.1f, 0.2f, 0.7f}) samples.add(1, {1}, {x});  // contradicted in another order, so that the
    for (const float x : {0.2f, 0.1f, 0.7f}) samples.add(-1, {1}, {x}); // slopes cancel up to rounding only
    for (int i = 0; i < 7; ++i) samples.add(i % 2 == 0 ? 1.0f : -1.0f, {}, {}); // empty
    samples.add(1, {2}, {0.0f});                                                // a stored zero
    for (const std::string_view name : catalog::names<LinearProblems>) {
        CAPTURE(std::string(name));
        const Optimum best = solve(name, samples.view(), 0.01);
        CHECK(best.converged);
        CHECK(best.passes < 1000);
        CHECK(best.value == doctest::Approx(best.initial).epsilon(1e-9));
    }
}
