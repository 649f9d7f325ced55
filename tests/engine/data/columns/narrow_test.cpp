#include "engine/data/columns/narrow.h"

#include "tests/random_samples.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace hogwild {
namespace {

constexpr std::uint32_t kWide = 4'000'000'000;

std::vector<std::uint32_t> indices(const Dataset& data) {
    const SparseView rows = data.sparse();
    return {rows.indices, rows.indices + rows.nonzeros()};
}

TEST_CASE(
    "samples have no more columns than entries where there are far more, and the same ones in training and test") {
    TestSamples some, others;
    some.columns = others.columns = kWide;
    some.add(1, {7, kWide - 1}, {1, 2});
    some.add(-1, {}, {});
    others.add(1, {0, 7}, {3, 4});
    Dataset train("train", 1, some.view(), nullptr), test("test", 2, others.view(), nullptr);
    const FileColumns columns = narrow(train, &test);
    CHECK(columns.all == kWide);
    CHECK(columns.numbers == std::vector<std::uint32_t>{0, 7, kWide - 1});
    CHECK(train.sparse().columns == 3);
    CHECK(test.sparse().columns == 3);
    CHECK(indices(train) == std::vector<std::uint32_t>{1, 2});
    CHECK(indices(test) == std::vector<std::uint32_t>{0, 1});
    CHECK(train.sparse().row(0).value[1] == 2);
    CHECK(train.name() == "train");
    CHECK(test.content_hash() == 2);
}

TEST_CASE("weights of narrowed samples are widened to the columns that there were, 0 of all others") {
    TestSamples some;
    some.columns = 1 << 21;
    some.add(1, {5, 9}, {1, 2});
    Dataset train("train", 1, some.view(), nullptr);
    const FileColumns columns = narrow(train, nullptr);
    const std::vector<float> wide = columns.widened({3, 4});
    CHECK(columns.narrowed(wide) == std::vector<float>{3, 4});
    CHECK(columns.narrowed({0, 0, 0, 0, 0, 3}) == std::vector<float>{3, 0}); // a model of fewer columns
    REQUIRE(wide.size() == 1 << 21);
    CHECK(wide[5] == 3);
    CHECK(wide[9] == 4);
    CHECK(std::ranges::count(wide, 0.0f) == (1 << 21) - 2);
}

TEST_CASE("samples of fewer than a million columns, or of not far more than entries, are left as they are") {
    TestSamples narrow_ones = random_samples(3, 1'000'000, 4, 1), filled;
    filled.columns = 1 << 21;
    for (std::uint32_t i = 0; i < (1 << 19) + 1; ++i) filled.add(1, {4 * i % filled.columns}, {1});
    for (const TestSamples* each : {&narrow_ones, &filled}) {
        Dataset train("train", 1, each->view(), nullptr);
        const FileColumns columns = narrow(train, nullptr);
        CHECK(columns.numbers.empty());
        CHECK(train.sparse().indices == each->indices.data());
        CHECK(columns.widened({1, 2}) == std::vector<float>{1, 2});
    }
}

} // namespace
} // namespace hogwild
