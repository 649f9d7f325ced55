// Steps that are corrected by what is remembered of samples.
#include "kernels/lanes/dispatch.h"
#include "kernels/problems/logistic.h"
#include "kernels/problems/squared.h"
#include "kernels/steps/variance_reduction.h"
#include "tests/kernels/steps/chunks.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <latch>
#include <limits>
#include <thread>
#include <type_traits>
#include <vector>

using namespace hogwild;

namespace {

template <class Real>
struct Memory {
    std::vector<Real> weights, slopes, mean, spread;
    double l2 = 0, l1 = 0;

    /// Random weights and slopes, and the slopes' mean.
    Memory(const SparseView& data, std::uint64_t seed) : mean(data.columns), spread(data.columns) {
        TestNumbers numbers(seed);
        weights = numbers.vector<Real>(data.columns);
        slopes = numbers.vector<Real>(data.rows);
        mean = mean_of_slopes(data);
        for (std::uint64_t i = 0; i < data.rows; ++i)
            data.row(i).for_each_coordinate([&](std::uint32_t j) { spread[j] += 1; });
        for (Real& each : spread) each = each == 0 ? Real(0) : static_cast<Real>(data.rows) / each;
    }

    std::vector<Real> mean_of_slopes(const SparseView& data) const {
        std::vector<double> sums(data.columns);
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            const SparseRow row = data.row(i);
            for (std::uint32_t k = 0; k < row.size; ++k)
                sums[row.index[k]] += static_cast<double>(slopes[i]) * row.value[k] / static_cast<double>(data.rows);
        }
        return {sums.begin(), sums.end()};
    }

    Remembered<Real> view() {
        return {weights.data(), slopes.data(), mean.data(), spread.data(), l2, l1, slopes.size()};
    }
};

template <class Problem, class When, class Real>
struct CorrectedBody {
    template <class Lanes>
    static void run(const SparseView& data, const Chunk& chunk, const Remembered<Real>& memory) {
        corrected_steps<Problem, When, Lanes>(data, chunk, memory);
    }
};

template <class Problem, class When, class Real>
void check_sets(double l2, double l1) {
    using On = OnLanes<CorrectedBody<Problem, When, Real>, const SparseView&, const Chunk&, const Remembered<Real>&>;
    const TestSamples samples = random_samples(300, 90, 22, 5); // rows of 0 to 44
    const SparseView data = samples.view();
    const std::vector<std::uint32_t> order = in_order(data.rows);
    Memory<Real> expected(data, 6);
    expected.l2 = l2;
    expected.l1 = l1;
    Memory<Real> avx2 = expected, avx512 = expected;
    On::scalar(data, chunk_of(order, 0.05), expected.view());
    const auto check = [&](const Memory<Real>& found) {
        CHECK(found.weights == expected.weights);
        CHECK(found.slopes == expected.slopes);
        CHECK(found.mean == expected.mean);
    };
    if (best_instruction_set() >= InstructionSet::kAvx2) {
        On::avx2(data, chunk_of(order, 0.05), avx2.view());
        check(avx2);
    }
    if (best_instruction_set() >= InstructionSet::kAvx512) {
        On::avx512(data, chunk_of(order, 0.05), avx512.view());
        check(avx512);
    }
}

} // namespace

TEST_CASE("corrected steps have the same bits on every instruction set") {
    for (const double l2 : {0.0, 1e-3}) {
        for (const double l1 : {0.0, 1e-3}) {
            check_sets<Logistic, AtAnchor, float>(l2, l1);
            check_sets<Logistic, AtAnchor, double>(l2, l1);
            check_sets<Squared, AtVisit, float>(l2, l1);
            check_sets<Squared, AtVisit, double>(l2, l1);
        }
    }
}

TEST_CASE("a corrected step is what its header says, and touches the sample's coordinates alone") {
    const TestSamples samples = random_samples(20, 30, 6, 7);
    const SparseView data = samples.view();
    for (std::uint32_t i = 0; i < data.rows; ++i) {
        Memory<double> memory(data, 8 + i);
        memory.l2 = 0.3;
        memory.l1 = 0.2;
        const Memory<double> before = memory;
        const double step = 0.5;
        corrected_steps<Logistic, AtVisit, ScalarLanes>(data, chunk_of({i}, step), memory.view());
        const SparseRow row = data.row(i);
        std::vector<double> weights = before.weights, mean = before.mean;
        double margin = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) margin += before.weights[row.index[k]] * row.value[k];
        const double slope = -row.label / (1 + std::exp(row.label * margin)), change = slope - before.slopes[i];
        for (std::uint32_t k = 0; k < row.size; ++k) {
            const std::uint32_t j = row.index[k];
            const double all = before.spread[j];
            const double u = before.weights[j] - step * (change * row.value[k] + all * before.mean[j]);
            const double least = std::max(std::abs(u) - step * all * 0.2, 0.0);
            weights[j] = std::copysign(least, u) / (1 + step * all * 0.3);
            mean[j] += change * row.value[k] / static_cast<double>(data.rows);
        }
        CHECK(memory.slopes[i] == doctest::Approx(slope).epsilon(1e-14));
        for (std::uint32_t j = 0; j < data.columns; ++j) {
            CHECK(memory.weights[j] == doctest::Approx(weights[j]).epsilon(1e-13));
            CHECK(memory.mean[j] == doctest::Approx(mean[j]).epsilon(1e-13));
            if (weights[j] == 0) CHECK(memory.weights[j] == 0);
        }
    }
}

TEST_CASE("the mean of all samples' corrected increments is the gradient's, whatever is remembered") {
    const TestSamples samples = random_samples(64, 20, 5, 9);
    const SparseView data = samples.view();
    const double step = 0.25;
    Memory<double> memory(data, 10);
    const Memory<double> before = memory;
    std::vector<double> increments(data.columns), gradient(data.columns);
    for (std::uint32_t i = 0; i < data.rows; ++i) {
        memory = before;
        corrected_steps<Squared, AtAnchor, ScalarLanes>(data, chunk_of({i}, step), memory.view());
        for (std::uint32_t j = 0; j < data.columns; ++j)
            increments[j] += (memory.weights[j] - before.weights[j]) / static_cast<double>(data.rows);
        const SparseRow row = data.row(i);
        double margin = 0;
        for (std::uint32_t k = 0; k < row.size; ++k) margin += before.weights[row.index[k]] * row.value[k];
        for (std::uint32_t k = 0; k < row.size; ++k)
            gradient[row.index[k]] += (margin - row.label) * row.value[k] / static_cast<double>(data.rows);
        CHECK(memory.slopes == before.slopes);
        CHECK(memory.mean == before.mean);
    }
    for (std::uint32_t j = 0; j < data.columns; ++j)
        CHECK(increments[j] == doctest::Approx(-step * gradient[j]).epsilon(1e-12));
}

TEST_CASE("at its anchor a sample's step goes by the mean alone") {
    const TestSamples samples = random_samples(50, 20, 5, 11);
    const SparseView data = samples.view();
    Memory<double> memory(data, 12);
    std::vector<double> sums(data.columns);
    remember<Logistic, ScalarLanes>(data, 0, data.rows, memory.view(), sums.data());
    for (std::uint32_t j = 0; j < data.columns; ++j) memory.mean[j] = sums[j] / static_cast<double>(data.rows);
    const std::vector<double> mean = memory.mean_of_slopes(data);
    for (std::uint32_t j = 0; j < data.columns; ++j) CHECK(memory.mean[j] == doctest::Approx(mean[j]).epsilon(1e-13));
    const Memory<double> anchor = memory;
    for (std::uint32_t i = 0; i < data.rows; ++i) {
        memory = anchor;
        corrected_steps<Logistic, AtAnchor, ScalarLanes>(data, chunk_of({i}, 0.5), memory.view());
        std::vector<double> expected = anchor.weights;
        data.row(i).for_each_coordinate([&](std::uint32_t j) { expected[j] -= 0.5 * (anchor.spread[j] * mean[j]); });
        for (std::uint32_t j = 0; j < data.columns; ++j)
            CHECK(memory.weights[j] == doctest::Approx(expected[j]).epsilon(1e-13));
    }
}

TEST_CASE("a proximal step of L1 makes zeros, and keeps what is no number") {
    CHECK(shrunk(0.5, 0.5) == 0);
    CHECK(shrunk(-0.5, 0.5) == 0);
    CHECK(shrunk(2.0, 0.5) == 1.5);
    CHECK(shrunk(-2.0, 0.5) == -1.5);
    CHECK(shrunk(1.0f, 0.0f) == 1.0f);
    CHECK(std::isnan(shrunk(std::numeric_limits<double>::quiet_NaN(), 0.5)));
}

TEST_CASE("L2 takes no weight beyond zero, however large the step") {
    TestSamples samples;
    samples.columns = 1;
    samples.add(1.0f, {0}, {0.0f});
    for (int i = 0; i < 99; ++i) samples.add(1.0f, {}, {}); // the coordinate stands for a hundred samples
    Memory<double> memory(samples.view(), 13);
    memory.weights = {1};
    memory.l2 = 10;
    corrected_steps<Logistic, AtAnchor, ScalarLanes>(samples.view(), chunk_of({0}, 1), memory.view());
    CHECK(memory.weights[0] == doctest::Approx(1 / 1001.0)); // 1 - step lambda D would be -999
}

TEST_CASE("what several workers remember stays the mean of the slopes that are remembered") {
    for (const std::uint64_t rows : {200, 2}) { // workers meet at coordinates, and at samples
        const TestSamples samples = random_samples(rows, 8, 4, 14);
        const SparseView data = samples.view();
        Memory<double> memory(data, 15);
        const std::vector<std::uint32_t> order = in_order(rows);
        std::latch start(4);
        std::vector<std::thread> workers;
        for (int w = 0; w < 4; ++w) {
            workers.emplace_back([&] {
                start.arrive_and_wait();
                for (std::uint64_t pass = 0; pass < 100'000 / rows; ++pass) // to and fro, so that slopes go on changing
                    corrected_steps<Logistic, AtVisitOfMany, ScalarLanes>(
                        data, chunk_of(order, pass % 2 == 0 ? 0.05 : -0.04), memory.view());
            });
        }
        for (std::thread& worker : workers) worker.join();
        const std::vector<double> mean = memory.mean_of_slopes(data);
        for (std::uint32_t j = 0; j < data.columns; ++j) {
            REQUIRE(std::abs(mean[j]) < 1);
            CHECK(std::abs(memory.mean[j] - mean[j]) < 1e-10); // of 400,000 additions, each to a number below 1
        }
    }
}
