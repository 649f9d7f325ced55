#include "engine/data/sparse/transpose.h"

#include "engine/machine/parallel.h"
#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

using namespace hogwild;

namespace {

/// (row, column, value) of all nonzeros, rising.
std::vector<std::array<double, 3>> triples(const SparseView& data, bool turned) {
    std::vector<std::array<double, 3>> all;
    for (std::uint64_t i = 0; i < data.rows; ++i) {
        const SparseRow row = data.row(i);
        for (std::uint32_t k = 0; k < row.size; ++k) {
            const auto r = static_cast<double>(i), c = static_cast<double>(row.index[k]);
            all.push_back({turned ? c : r, turned ? r : c, double{row.value[k]}});
        }
    }
    std::ranges::sort(all);
    return all;
}

} // namespace

TEST_CASE("samples turned about hold the same nonzeros, rising, and each column's squared norm") {
    // With one block and with several, with more columns than nonzeros, and without any.
    for (const auto& [rows, columns, mean] :
         {std::array{2'000u, 30u, 12u}, {50u, 3'000u, 4u}, {1u, 1u, 1u}, {7u, 5u, 0u}, {3'000u, 5'000u, 3u}}) {
        const TestSamples samples = random_samples(rows, columns, mean, 3);
        const SparseView data = samples.view();
        const auto turned = transposed(data);
        const SparseView view = turned->view();
        REQUIRE(view.rows == columns);
        REQUIRE(view.columns == rows);
        REQUIRE(view.nonzeros() == data.nonzeros());
        CHECK(triples(view, true) == triples(data, false));
        for (std::uint64_t j = 0; j < view.rows; ++j) {
            const SparseRow column = view.row(j);
            double norm = 0;
            for (std::uint32_t k = 0; k < column.size; ++k) {
                norm += double{column.value[k]} * double{column.value[k]};
                CHECK((k == 0 || column.index[k - 1] < column.index[k]));
            }
            CHECK(column.label == static_cast<float>(norm));
        }
        CHECK(transposed_bytes(data) >= data.bytes());
    }
}

TEST_CASE("samples turned about are the same bits at any thread count") {
    const TestSamples samples = random_samples(3'000, 40, 8, 5);
    const auto expected = transposed(samples.view());
    const unsigned before = parallelism();
    for (const unsigned threads : {1u, 3u}) {
        set_parallelism(threads);
        const auto found = transposed(samples.view());
        CHECK(std::ranges::equal(found->indices.span(), expected->indices.span()));
        CHECK(std::ranges::equal(found->values.span(), expected->values.span()));
        CHECK(std::ranges::equal(found->offsets.span(), expected->offsets.span()));
    }
    set_parallelism(before);
}

TEST_CASE("no samples have columns without nonzeros") {
    TestSamples none;
    none.columns = 4;
    const auto turned = transposed(none.view());
    CHECK(turned->view().rows == 4);
    CHECK(turned->view().nonzeros() == 0);
}
