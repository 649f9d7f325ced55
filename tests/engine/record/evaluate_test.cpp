#include "engine/record/evaluate.h"

#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "engine/optimum/known_problem.h"
#include "engine/record/evaluate_block.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

using namespace hogwild;

namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

std::vector<const float*> pointers(const std::vector<std::vector<float>>& snapshots) {
    std::vector<const float*> result;
    for (const auto& snapshot : snapshots) result.push_back(snapshot.data());
    return result;
}

std::vector<std::vector<float>> random_snapshots(std::size_t count, std::size_t columns) {
    TestNumbers numbers(7);
    std::vector<std::vector<float>> snapshots;
    for (std::size_t k = 0; k < count; ++k) snapshots.push_back(numbers.vector<float>(columns, 2));
    return snapshots;
}

bool same_bits(const Losses& a, const Losses& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The mean loss in long double, and how far one computed in double may lie from it.
template <class Problem>
std::pair<long double, long double> reference(const SparseView& data, const std::vector<float>& weights) {
    long double sum = 0, magnitude = 0, error = 0;
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        const SparseRow row = data.row(i);
        long double margin = 0, terms = 0;
        for (std::uint32_t e = 0; e < row.size; ++e) {
            const long double term = static_cast<long double>(row.value[e]) * weights[row.index[e]];
            margin += term;
            terms += std::abs(term);
        }
        const long double label = row.label;
        const auto value = Problem::value(static_cast<double>(margin), static_cast<double>(label));
        const auto slope = Problem::slope(static_cast<double>(margin), static_cast<double>(label));
        const long double margin_error = (row.size + 1) * kUnit * terms;
        const long double steepest =
            std::max<long double>(std::abs(slope), std::abs(label)) + Problem::curvature * margin_error;
        sum += value;
        magnitude += std::abs(value);
        error +=
            steepest * margin_error + 16 * kUnit * (1 + std::abs(margin) + std::abs(value)); // the loss's own roundings
    }
    return {sum / data.rows, (error + (data.rows + 1) * kUnit * magnitude) / data.rows};
}

} // namespace

TEST_CASE("a loss is the sum of its samples, whatever number of snapshots shares a call") {
    const TestSamples samples = random_samples(1100, 60, 9, 1);
    const SparseView data = samples.view();
    const auto snapshots = random_snapshots(23, data.columns); // 16 + 4 + 3 times 1
    const auto borrowed = pointers(snapshots);
    for (const std::string_view name : catalog::names<LinearProblems>) {
        CAPTURE(std::string(name));
        const std::vector<Losses> losses = evaluate(name, data, borrowed);
        REQUIRE(losses.size() == snapshots.size());
        for (std::size_t k = 0; k < snapshots.size(); ++k) {
            CAPTURE(k);
            const auto [exact, bound] =
                with_linear_problem(name, [&]<class P>(P) { return reference<P>(data, snapshots[k]); });
            CHECK(std::abs(losses[k].mean_loss - exact) <= bound);
            long double norm = 0;
            for (const float w : snapshots[k]) norm += static_cast<long double>(w) * w;
            CHECK(std::abs(losses[k].squared_norm - norm) <= (data.columns + 1) * kUnit * norm);
            CHECK(losses[k].objective(0.5) == losses[k].mean_loss + 0.25 * losses[k].squared_norm);
            CHECK(same_bits(losses[k], evaluate(name, data, {&borrowed[k], 1})[0]));
            const std::vector<double> wide(snapshots[k].begin(), snapshots[k].end());
            CHECK(same_bits(losses[k], evaluate(name, data, std::span<const double>(wide))));
        }
    }
}

TEST_CASE("losses have the same bits at any thread count") {
    const TestSamples samples = random_samples(5000, 40, 5, 2);
    const auto snapshots = random_snapshots(21, samples.columns);
    const unsigned before = parallelism();
    set_parallelism(1);
    const std::vector<Losses> one = evaluate("logistic", samples.view(), pointers(snapshots));
    for (const unsigned threads : {2u, 3u, 8u}) {
        set_parallelism(threads);
        const std::vector<Losses> many = evaluate("logistic", samples.view(), pointers(snapshots));
        for (std::size_t k = 0; k < one.size(); ++k) CHECK(same_bits(one[k], many[k]));
    }
    set_parallelism(before);
}

#if defined(__x86_64__)
TEST_CASE_TEMPLATE("losses have the same bits on every instruction set", Problem, Hinge, Logistic, Squared) {
    const TestSamples samples = random_samples(700, 50, 8, 3);
    const SparseView data = samples.view();
    const std::vector<float> weights = TestNumbers(4).vector<float>(16 * data.columns);
    BlockSums<16> portable;
    evaluation::add_block_portable<Problem, 16>(data, weights.data(), 0, data.rows, portable);
    const auto check = [&](bool supported, const char* name, auto add_block) {
        if (!supported) {
            MESSAGE("skipped: this machine has no " << std::string(name)
                                                    << "; to run it: take a processor that has it");
            return;
        }
        BlockSums<16> sums;
        add_block(data, weights.data(), 0, data.rows, sums);
        CHECK(std::memcmp(&sums.loss, &portable.loss, sizeof sums.loss) == 0);
        CHECK(sums.wrong == portable.wrong);
    };
    check(__builtin_cpu_supports("avx2"), "avx2", evaluation::add_block_avx2<Problem, 16, float>);
    check(__builtin_cpu_supports("avx512f"), "avx512f", evaluation::add_block_avx512<Problem, 16, float>);
}
#endif

TEST_CASE("a margin above zero predicts +1, everything else -1") {
    TestSamples samples;
    samples.columns = 2;
    samples.add(+1, {0}, {1});  // margin 1: right
    samples.add(-1, {0}, {1});  // wrong
    samples.add(+1, {1}, {1});  // margin 0: wrong
    samples.add(-1, {1}, {1});  // right
    samples.add(-1, {}, {});    // right
    samples.add(+1, {0}, {-1}); // wrong
    const float weights[] = {1, 0};
    const float* snapshot = weights;
    CHECK(evaluate("hinge", samples.view(), {&snapshot, 1})[0].scores[0] == 0.5);
    samples.labels[4] = 3;
    CHECK(std::isnan(evaluate("squared", samples.view(), {&snapshot, 1})[0].scores[0]));
}

TEST_CASE("weights that are not finite score infinity, also where no sample looks") {
    TestSamples samples;
    samples.columns = 3;
    samples.add(+1, {0}, {1});
    samples.add(-1, {1}, {1});
    for (const std::string_view name : catalog::names<LinearProblems>) {
        for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()}) {
            for (int place = 0; place < 3; ++place) {
                std::vector<std::vector<float>> snapshots(17, std::vector<float>(3, 0.5f));
                snapshots[5][place] = snapshots[16][place] = bad;
                const std::vector<Losses> losses = evaluate(name, samples.view(), pointers(snapshots));
                for (std::size_t k = 0; k < losses.size(); ++k) {
                    CHECK(std::isinf(losses[k].mean_loss) == (k == 5 || k == 16));
                    CHECK(std::isfinite(losses[k].objective(0)) == !(k == 5 || k == 16));
                    CHECK(std::isfinite(losses[k].objective(1)) == !(k == 5 || k == 16));
                }
            }
        }
    }
}

TEST_CASE("no snapshots give no losses, no samples give none that means anything") {
    const TestSamples samples = random_samples(3, 4, 2, 5);
    CHECK(evaluate("hinge", samples.view(), std::span<const float* const>()).empty());
    const float weights[] = {1, 2, 3, 4};
    const float* snapshot = weights;
    const SparseView empty;
    CHECK(std::isnan(evaluate("hinge", empty, {&snapshot, 1})[0].mean_loss));
}

TEST_CASE("an unknown problem is answered with the known ones") {
    try {
        evaluate("hing", SparseView{}, std::span<const float* const>());
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::kUsage);
        CHECK(std::string(error.what()).find("unknown problem 'hing' (known: hinge, logistic, ") == 0);
    }
}
