#include "kernels/patterns/sparse_rows.h"

#include "kernels/lanes/scalar.h"
#include "kernels/problems/hinge.h"
#include "kernels/problems/squared.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kRows = 40;
constexpr std::uint32_t kColumns = 50;

/// One batch of all rows, its slopes computed, ready to be applied by any owner.
template <class Problem>
struct Experiment {
    TestSamples samples = random_samples(kRows, kColumns, 6, 12);
    std::vector<std::uint32_t> rows = std::vector<std::uint32_t>(kRows);
    std::vector<float> weights = TestNumbers(3).vector<float>(kColumns, 4);
    std::vector<float> slopes = std::vector<float>(kRows);
    std::vector<std::uint32_t> bounds;
    std::vector<std::uint32_t> cuts;

    explicit Experiment(std::vector<std::uint32_t> bounds_) : bounds(std::move(bounds_)), cuts(kRows * owners()) {
        std::iota(rows.rbegin(), rows.rend(), 0u); // not as stored
        SparseRows::emit<Problem, ScalarLanes>(samples.view(), {rows.data(), kRows, weights.data(), 0.5f, slopes.data(),
                                                                owners(), bounds.data(), cuts.data()});
    }

    std::uint32_t owners() const { return static_cast<std::uint32_t>(bounds.size() - 1); }

    void apply(std::uint32_t owner) {
        SparseRows::apply<ScalarLanes>(samples.view(), {rows.data(), kRows, weights.data(), -0.25f, slopes.data(),
                                                        owners(), owner, bounds.data(), cuts.data()});
    }
};

} // namespace

TEST_CASE("a batch's slopes are those of its samples at scale times the buffer") {
    const Experiment<Squared> experiment({0, kColumns});
    for (std::uint32_t i = 0; i < kRows; ++i) {
        const SparseRow row = experiment.samples.view().row(experiment.rows[i]);
        CHECK(experiment.slopes[i] == 0.5f * ScalarLanes::dot(experiment.weights.data(), row) - row.label);
    }
}

TEST_CASE("applying adds factor x slope x sample, summed over the batch") { // oracle 13
    Experiment<Squared> experiment({0, kColumns});
    std::vector<double> expected(experiment.weights.begin(), experiment.weights.end()), magnitude(kColumns);
    for (std::uint32_t i = 0; i < kRows; ++i) {
        const SparseRow row = experiment.samples.view().row(experiment.rows[i]);
        for (std::uint32_t k = 0; k < row.size; ++k) {
            const double term = -0.25 * experiment.slopes[i] * row.value[k];
            expected[row.index[k]] += term;
            magnitude[row.index[k]] += std::abs(term);
        }
    }
    experiment.apply(0);
    for (std::uint32_t j = 0; j < kColumns; ++j) {
        // gamma_n for at most 40 terms, each with two roundings of its own, on a weight below 4
        CHECK(std::abs(experiment.weights[j] - expected[j]) <= (kRows + 2) * 0x1p-24 * (4 + magnitude[j]));
    }
}

TEST_CASE(
    "owners together apply every coordinate once, each its own range only, with the bits of one owner") { // oracle 12
    Experiment<Hinge> alone({0, kColumns});
    const std::vector<float> before = alone.weights;
    alone.apply(0);
    for (const std::vector<std::uint32_t>& bounds :
         {std::vector<std::uint32_t>{0, 25, kColumns}, {0, 16, 16, 48, kColumns}, {0, 0, 1, 49, kColumns, kColumns}}) {
        Experiment<Hinge> shared(bounds);
        for (std::uint32_t owner = 0; owner < shared.owners(); ++owner) {
            shared.apply(owner);
            for (std::uint32_t j = 0; j < kColumns; ++j) {
                CHECK(shared.weights[j] == (j < bounds[owner + 1] ? alone.weights[j] : before[j]));
            }
        }
    }
}

TEST_CASE("a sample without a slope is not applied, whatever stands in its cuts") {
    Experiment<Hinge> experiment({0, 25, kColumns});
    std::uint32_t without = 0;
    for (std::uint32_t i = 0; i < kRows; ++i) {
        if (experiment.slopes[i] != 0.0f) continue;
        ++without;
        for (std::uint32_t o = 0; o < 2; ++o) experiment.cuts[2 * i + o] = ~0u; // would read far beyond the row
    }
    REQUIRE(without > 0);
    Experiment<Hinge> other({0, 25, kColumns});
    experiment.apply(0);
    other.apply(0);
    CHECK(experiment.weights == other.weights);
}

TEST_CASE("the mean loss is the mean of the losses") {
    const TestSamples samples = random_samples(10, 20, 4, 1);
    const std::vector<float> weights = TestNumbers(5).vector<float>(20);
    const std::vector<std::uint32_t> rows{3, 1, 7};
    double expected = 0;
    for (const std::uint32_t i : rows) {
        const SparseRow row = samples.view().row(i);
        const double margin = 2.0f * ScalarLanes::dot(weights.data(), row); // in float, as a step sees it
        expected += Squared::value(margin, double{row.label}) / 3.0;
    }
    const double found = SparseRows::mean_loss<Squared>(samples.view(), rows.data(), 3, weights.data(), 2.0f);
    CHECK(std::abs(found - expected) <= 8 * 0x1p-53 * expected);
    CHECK(SparseRows::mean_loss<Squared>(samples.view(), rows.data(), 0, weights.data(), 2.0f) == 0.0);
}
