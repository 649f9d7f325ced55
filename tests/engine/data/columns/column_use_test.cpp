#include "engine/data/columns/column_use.h"

#include "tests/random_samples.h"

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("a column's use is counted over all samples") { // oracle 24, for columns
    const TestSamples samples = random_samples(500, 40, 6, 2);
    const SparseView view = samples.view();
    const ColumnUse use = column_use(view);
    for (std::uint32_t j = 0; j < view.columns; ++j) {
        double touched = 0, energy = 0;
        for (std::uint64_t k = 0; k < view.nonzeros(); ++k) {
            if (view.indices[k] != j) continue;
            ++touched;
            energy += static_cast<double>(view.values[k]) * view.values[k];
        }
        CHECK(use.touched[j] == doctest::Approx(touched / 500));
        CHECK(use.energy[j] == doctest::Approx(energy / 500));
    }
}

TEST_CASE("no samples use no column") {
    TestSamples samples;
    samples.columns = 3;
    const ColumnUse use = column_use(samples.view());
    CHECK(use.touched == std::vector<float>(3));
    CHECK(use.energy == std::vector<float>(3));
}
