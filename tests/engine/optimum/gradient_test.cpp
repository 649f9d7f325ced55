#include "engine/optimum/gradient.h"

#include "engine/machine/parallel.h"
#include "engine/optimum/known_problem.h"
#include "engine/record/evaluate.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace hogwild;

namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

/// gamma_n of Higham: n roundings in a row change a sum by at most this share of its terms' magnitudes.
long double rounding_share(long double n) { return n * kUnit / (1 - n * kUnit); }

/// Rows whose slope jumps within `reach` of their margin are left out: a kink has no derivative.
template <class Problem>
TestSamples away_from_kinks(const TestSamples& samples, const std::vector<double>& weights, double reach) {
    TestSamples kept;
    kept.columns = samples.columns;
    const SparseView data = samples.view();
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        const SparseRow row = data.row(i);
        double margin = 0;
        for (std::uint32_t e = 0; e < row.size; ++e) margin += row.value[e] * weights[row.index[e]];
        const double jump =
            Problem::slope(margin + reach, double{row.label}) - Problem::slope(margin - reach, double{row.label});
        if (std::abs(jump) > 2.5 * Problem::curvature * reach) continue;
        kept.add(row.label, {row.index, row.index + row.size}, {row.value, row.value + row.size});
    }
    return kept;
}

} // namespace

TEST_CASE("the gradient agrees with central differences, for every problem of the catalog") { // oracle 16
    constexpr double kStep = 1e-5; // truncation ~ step^2, cancellation ~ 1e-16 / step: both near 1e-11
    const std::vector<double> weights = TestNumbers(11).vector<double>(30);
    for (const std::string_view name : catalog::names<LinearProblems>) {
        CAPTURE(std::string(name));
        const TestSamples samples = with_linear_problem(
            name, [&]<class P>(P) { return away_from_kinks<P>(random_samples(400, 30, 6, 12), weights, 1e-3); });
        REQUIRE(samples.labels.size() > 300);
        for (const double l2 : {0.0, 0.1}) {
            const std::vector<double> slope = gradient(name, samples.view(), l2, weights);
            double largest = 0;
            for (const double s : slope) largest = std::max(largest, std::abs(s));
            for (std::size_t j = 0; j < weights.size(); ++j) {
                std::vector<double> ahead = weights, behind = weights;
                ahead[j] += kStep;
                behind[j] -= kStep;
                const auto loss = [&](const std::vector<double>& w) {
                    return evaluate(name, samples.view(), std::span<const double>(w)).objective(l2);
                };
                const double difference = (loss(ahead) - loss(behind)) / (ahead[j] - behind[j]);
                CHECK(std::abs(slope[j] - difference) <= 1e-7 * largest);
            }
        }
    }
}

TEST_CASE("slope is the derivative of value, for every problem and label, away from kinks") { // oracle 16
    constexpr double kStep = 1e-5;
    for (const std::string_view name : catalog::names<LinearProblems>) {
        CAPTURE(std::string(name));
        with_linear_problem(name, []<class P>(P) {
            for (const double label : {-1.0, 1.0}) {
                for (double margin = -30.013; margin < 30; margin += 0.37) {
                    CAPTURE(margin);
                    const double jump = P::slope(margin + kStep, label) - P::slope(margin - kStep, label);
                    if (std::abs(jump) > 4 * P::curvature * kStep + 1e-12) continue;
                    const double difference =
                        (P::value(margin + kStep, label) - P::value(margin - kStep, label)) / (2 * kStep);
                    CHECK(std::abs(P::slope(margin, label) - difference) <= 1e-7 * std::max(1.0, std::abs(difference)));
                    CHECK(jump <= P::curvature * 2 * kStep * (1 + 1e-6) + 1e-15); // and curvature bounds its rise
                }
            }
        });
    }
}

TEST_CASE("the gradient lies within gamma_n of its terms from a long double reference") { // oracle 13
    const TestSamples samples = random_samples(3000, 25, 6, 13);
    const SparseView data = samples.view();
    const std::vector<double> weights = TestNumbers(14).vector<double>(data.columns);
    constexpr double kL2 = 0.01;
    for (const std::string_view name : catalog::names<LinearProblems>) {
        CAPTURE(std::string(name));
        std::vector<long double> exact(data.columns), magnitude(data.columns), moved(data.columns);
        with_linear_problem(name, [&]<class P>(P) {
            for (std::uint64_t i = 0; i < data.rows; ++i) {
                const SparseRow row = data.row(i);
                long double margin = 0, terms = 0;
                for (std::uint32_t e = 0; e < row.size; ++e) {
                    const long double term = static_cast<long double>(row.value[e]) * weights[row.index[e]];
                    margin += term;
                    terms += std::abs(term);
                }
                const long double slope = P::slope(static_cast<double>(margin), double{row.label});
                const long double share = 1.0L / data.rows;
                for (std::uint32_t e = 0; e < row.size; ++e) {
                    exact[row.index[e]] += share * slope * row.value[e];
                    magnitude[row.index[e]] += share * std::abs(slope * row.value[e]);
                    // The slope itself moves with its margin's rounding, and has a few of its own.
                    moved[row.index[e]] +=
                        share * std::abs(row.value[e]) *
                        (P::curvature * rounding_share(row.size + 2) * terms + 8 * kUnit * (1 + std::abs(margin)));
                }
            }
        });
        const std::vector<double> computed = gradient(name, data, kL2, weights);
        for (std::size_t j = 0; j < computed.size(); ++j) {
            const long double pull = static_cast<long double>(kL2) * weights[j];
            const long double bound = rounding_share(data.rows + 4) * (magnitude[j] + std::abs(pull)) + moved[j];
            CHECK(std::abs(computed[j] - (exact[j] + pull)) <= bound);
        }
    }
}

TEST_CASE("the gradient has the same bits at any thread count") {
    const TestSamples samples = random_samples(4000, 30, 8, 15); // enough nonzeros for every block
    const std::vector<double> weights = TestNumbers(16).vector<double>(30);
    const unsigned before = parallelism();
    set_parallelism(1);
    const std::vector<double> one = gradient("logistic", samples.view(), 0.1, weights);
    for (const unsigned threads : {2u, 3u, 8u}) {
        set_parallelism(threads);
        CHECK(gradient("logistic", samples.view(), 0.1, weights) == one);
    }
    set_parallelism(before);
}
