// Steps of coordinate descent.
#include "kernels/steps/column_steps.h"

#include "kernels/lanes/dispatch.h"
#include "kernels/problems/logistic.h"
#include "kernels/problems/squared.h"
#include "tests/kernels/steps/chunks.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <latch>
#include <limits>
#include <thread>
#include <vector>

using namespace hogwild;

namespace {

/// Brute force: by rows of columns.
TestSamples turned(const SparseView& data) {
    TestSamples columns;
    columns.columns = static_cast<std::uint32_t>(data.rows);
    for (std::uint32_t j = 0; j < data.columns; ++j) {
        std::vector<std::uint32_t> samples;
        std::vector<float> values;
        double norm = 0;
        for (std::uint32_t i = 0; i < data.rows; ++i) {
            const SparseRow row = data.row(i);
            for (std::uint32_t k = 0; k < row.size; ++k) {
                if (row.index[k] != j) continue;
                samples.push_back(i);
                values.push_back(row.value[k]);
                norm += double{row.value[k]} * double{row.value[k]};
            }
        }
        columns.add(static_cast<float>(norm), samples, values);
    }
    return columns;
}

template <class Real>
struct Model {
    std::vector<Real> weights, margins;
    const SparseView& data;
    double l2 = 0;

    /// Random weights, and their margins.
    Model(const SparseView& data_, std::uint64_t seed) : margins(data_.rows), data(data_) {
        weights = TestNumbers(seed).vector<Real>(data.columns);
        refresh_margins<ScalarLanes>(data, 0, data.rows, view());
    }

    ColumnModel<Real> view() { return {weights.data(), margins.data(), data.labels, l2, data.rows}; }

    template <class Problem>
    double loss() const {
        double sum = 0, norm = 0;
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            const SparseRow row = data.row(i);
            double margin = 0;
            for (std::uint32_t k = 0; k < row.size; ++k) margin += weights[row.index[k]] * double{row.value[k]};
            sum += Problem::value(margin, double{row.label});
        }
        for (const double weight : weights) norm += weight * weight;
        return sum / static_cast<double>(data.rows) + 0.5 * l2 * norm;
    }
};

template <class Problem, class Margins, class Real>
struct ColumnBody {
    template <class Lanes>
    static void run(const SparseView& columns, const Chunk& chunk, const ColumnModel<Real>& model) {
        column_steps<Problem, Margins, Lanes>(columns, chunk, model);
        refresh_margins<Lanes>(model_data, 0, model.samples / 2, model);
    }
    static inline SparseView model_data;
};

template <class Problem, class Margins, class Real>
void check_sets(double l2) {
    using Steps = ColumnBody<Problem, Margins, Real>;
    using On = OnLanes<Steps, const SparseView&, const Chunk&, const ColumnModel<Real>&>;
    const TestSamples samples = random_samples(90, 300, 66, 5); // columns of 9 to 34
    const SparseView data = samples.view();
    const TestSamples columns = turned(data);
    const std::vector<std::uint32_t> order = in_order(data.columns);
    Steps::model_data = data;
    Model<Real> expected(data, 6);
    expected.l2 = l2;
    Model<Real> avx2 = expected, avx512 = expected;
    On::scalar(columns.view(), chunk_of(order), expected.view());
    if (best_instruction_set() >= InstructionSet::kAvx2) {
        On::avx2(columns.view(), chunk_of(order), avx2.view());
        CHECK(avx2.weights == expected.weights);
        CHECK(avx2.margins == expected.margins);
    }
    if (best_instruction_set() >= InstructionSet::kAvx512) {
        On::avx512(columns.view(), chunk_of(order), avx512.view());
        CHECK(avx512.weights == expected.weights);
        CHECK(avx512.margins == expected.margins);
    }
}

} // namespace

TEST_CASE("steps on columns have the same bits on every instruction set") {
    for (const double l2 : {0.0, 1e-2}) {
        check_sets<Logistic, RacyMargins, float>(l2);
        check_sets<Logistic, AtomicMargins, float>(l2);
        check_sets<Squared, RacyMargins, float>(l2);
        check_sets<Squared, RacyMargins, double>(l2);
        check_sets<Squared, AtomicMargins, double>(l2);
    }
}

TEST_CASE("racy and atomic steps of one worker are the same bits") {
    const TestSamples samples = random_samples(70, 40, 9, 3);
    const TestSamples columns = turned(samples.view());
    const SparseView data = samples.view();
    const std::vector<std::uint32_t> order = in_order(data.columns);
    Model<float> racy(data, 4), atomic = racy;
    column_steps<Logistic, RacyMargins, ScalarLanes>(columns.view(), chunk_of(order), racy.view());
    column_steps<Logistic, AtomicMargins, ScalarLanes>(columns.view(), chunk_of(order), atomic.view());
    CHECK(racy.weights == atomic.weights);
    CHECK(racy.margins == atomic.margins);
}

TEST_CASE("a step of squared loss ends at the minimum along its coordinate, one of logistic further down") {
    const TestSamples samples = random_samples(60, 30, 6, 7);
    const SparseView data = samples.view();
    const TestSamples columns = turned(data);
    for (std::uint32_t j = 0; j < data.columns; ++j) {
        Model<double> squared(data, 8), logistic = squared;
        squared.l2 = logistic.l2 = 0.05;
        const Model<double> before = squared;
        column_steps<Squared, RacyMargins, ScalarLanes>(columns.view(), chunk_of({j}), squared.view());
        double along = 0.05 * squared.weights[j];
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            const SparseRow row = data.row(i);
            for (std::uint32_t k = 0; k < row.size; ++k) {
                if (row.index[k] == j)
                    along += (squared.margins[i] - double{row.label}) * double{row.value[k]} / double(data.rows);
            }
        }
        CHECK(std::abs(along) < 1e-7); // the column's norm is a float, and a relative 2^-24 of the way is left
        for (std::uint32_t other = 0; other < data.columns; ++other)
            CHECK((squared.weights[other] == before.weights[other]) == (other != j || columns.view().row(j).size == 0));
        const double loss = logistic.loss<Logistic>();
        column_steps<Logistic, RacyMargins, ScalarLanes>(columns.view(), chunk_of({j}), logistic.view());
        CHECK(logistic.loss<Logistic>() < loss + 1e-15);
    }
}

TEST_CASE("a step adds to the margins what it adds to the weight") {
    const TestSamples samples = random_samples(60, 30, 6, 9);
    const SparseView data = samples.view();
    const TestSamples columns = turned(data);
    Model<double> model(data, 10);
    column_steps<Logistic, AtomicMargins, ScalarLanes>(columns.view(), chunk_of(in_order(data.columns), 1.5),
                                                       model.view());
    const std::vector<double> kept = model.margins;
    refresh_margins<ScalarLanes>(data, 0, data.rows, model.view());
    for (std::uint64_t i = 0; i < data.rows; ++i) CHECK(kept[i] == doctest::Approx(model.margins[i]).epsilon(1e-13));
}

TEST_CASE("refreshed margins are those of the weights, whatever they were, and others stay") {
    const TestSamples samples = random_samples(40, 12, 5, 11);
    const SparseView data = samples.view();
    Model<float> model(data, 12);
    const std::vector<float> right = model.margins;
    for (float& margin : model.margins) margin = 7;
    refresh_margins<ScalarLanes>(data, 10, 25, model.view());
    for (std::uint64_t i = 0; i < data.rows; ++i) CHECK(model.margins[i] == (i >= 10 && i < 25 ? right[i] : 7));
}

TEST_CASE("a coordinate that no sample has, or has at zero alone, stays where it is; NaN stays NaN") {
    TestSamples samples;
    samples.columns = 3;
    samples.add(1.0f, {0, 1}, {1.0f, 0.0f});
    const SparseView data = samples.view();
    const TestSamples columns = turned(data);
    Model<float> model(data, 13);
    model.weights = {0, 0, 0};
    column_steps<Squared, RacyMargins, ScalarLanes>(columns.view(), chunk_of({0, 1, 2}), model.view());
    CHECK(model.weights[1] == 0);
    CHECK(model.weights[2] == 0);
    model.margins[0] = std::numeric_limits<float>::quiet_NaN();
    column_steps<Squared, RacyMargins, ScalarLanes>(columns.view(), chunk_of({0}), model.view());
    CHECK(std::isnan(model.weights[0]));
}

TEST_CASE("atomic margins stay those of the weights, however workers meet") {
    constexpr std::uint32_t kSamples = 256;
    TestSamples samples;
    samples.columns = 3;
    for (std::uint32_t i = 0; i < kSamples; ++i) {
        const auto sign = [i](std::uint32_t bit) { return (i >> bit) % 2 == 0 ? 1.0f : -1.0f; };
        samples.add(sign(3) * sign(5), {0, 1, 2}, {sign(0), sign(1), sign(2)});
    }
    const SparseView data = samples.view();
    const TestSamples columns = turned(data);
    Model<double> model(data, 14);
    std::latch start(3);
    std::vector<std::thread> workers;
    for (std::uint32_t w = 0; w < 3; ++w) {
        workers.emplace_back([&, w] {
            const std::vector<std::uint32_t> own{w};
            start.arrive_and_wait();
            for (int pass = 0; pass < 12'000; ++pass) // half the way to the minimum, and back
                column_steps<Squared, AtomicMargins, ScalarLanes>(
                    columns.view(), chunk_of(own, pass % 2 == 0 ? 0.5 : -1), model.view());
        });
    }
    for (std::thread& worker : workers) worker.join();
    const std::vector<double> kept = model.margins;
    refresh_margins<ScalarLanes>(data, 0, data.rows, model.view());
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        REQUIRE(std::abs(kept[i]) < 1e3);
        CHECK(std::abs(kept[i] - model.margins[i]) < 1e-8); // of 36,000 additions, each to a number below a thousand
    }
}
