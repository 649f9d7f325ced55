#include "engine/data/sparse/sampled_rows.h"

#include "engine/data/sparse/norms.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace hogwild {
namespace {

/// The contract of shared_energy, walked over all columns.
double energy_of_all_columns(const SparseView& data) {
    std::vector<double> direction(data.columns, 1.0);
    double energy = 0;
    for (int iteration = 0; iteration < 10; ++iteration) {
        const double norm = std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
        if (norm == 0) break;
        std::vector<double> next(data.columns);
        for (std::uint64_t i = 0; i < data.rows; ++i) {
            const SparseRow row = data.row(i);
            double margin = 0;
            for (std::uint32_t k = 0; k < row.size; ++k) margin += direction[row.index[k]] / norm * row.value[k];
            for (std::uint32_t k = 0; k < row.size; ++k) next[row.index[k]] += margin * row.value[k];
        }
        for (double& entry : next) entry /= static_cast<double>(data.rows);
        energy = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
        direction = next;
    }
    return energy;
}

TEST_CASE("rows are numbered over the columns that they touch, in order, however many there are") {
    TestSamples samples;
    samples.columns = 4'000'000'000;
    samples.add(1, {7, 3'999'999'999}, {1, 2});
    samples.add(-1, {}, {});
    samples.add(1, {0, 7}, {3, 4});
    const SampledRows rows(samples.view(), 10);
    CHECK(rows.rows() == 3);
    CHECK(rows.columns() == 3);
    const auto index = [&](std::uint64_t i) {
        const SparseRow row = rows.row(i);
        return std::vector<std::uint32_t>(row.index, row.index + row.size);
    };
    CHECK(index(0) == std::vector<std::uint32_t>{1, 2});
    CHECK(index(1).empty());
    CHECK(index(2) == std::vector<std::uint32_t>{0, 1});
    CHECK(rows.row(2).value[1] == 4);
    CHECK(shared_energy(samples.view()) > 0);
}

TEST_CASE("the columns that an energy walks are no more than its samples have entries") {
    const TestSamples dense = random_samples(50, 40, 20, 1), sparse = random_samples(50, 100'000, 20, 1);
    for (const TestSamples* each : {&dense, &sparse}) {
        const SparseView view = each->view();
        const SampledRows few(view, 7), all(view, 1'000);
        CHECK(few.rows() == 7);
        CHECK(all.rows() == 50);
        CHECK(all.columns() <= std::min<std::uint64_t>(view.columns, view.nonzeros()));
        CHECK(few.columns() <= all.columns());
    }
}

TEST_CASE("an energy has the bits that a walk over all columns gives") {
    for (const std::uint32_t columns : {3u, 40u, 5'000u}) {
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const TestSamples samples = random_samples(60, columns, 3, seed);
            CAPTURE(columns);
            CHECK(shared_energy(samples.view()) == energy_of_all_columns(samples.view()));
        }
    }
    TestSamples none;
    none.columns = 5;
    CHECK(shared_energy(none.view()) == 0);
    none.add(1, {}, {});
    CHECK(shared_energy(none.view()) == 0);
}

} // namespace
} // namespace hogwild
