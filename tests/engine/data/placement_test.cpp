#include "engine/data/placement.h"

#include "engine/data/statistics.h"
#include "tests/engine/data/samples.h"
#include "tests/engine/schemes/toy_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace hogwild;

namespace {

/// A sample as (column, value), columns renumbered.
std::map<std::uint32_t, float> entries(const SparseRow& row, const std::vector<std::uint32_t>& numbers) {
    std::map<std::uint32_t, float> all;
    for (std::uint32_t k = 0; k < row.size; ++k) {
        all[numbers.empty() ? row.index[k] : numbers[row.index[k]]] = row.value[k];
    }
    return all;
}

} // namespace

TEST_CASE("a placement is one-to-one, and placed samples are the same samples under it") {
    const Dataset data = toy_dataset(random_samples(9'000, 40, 6, 2));
    for (const std::string_view kind : kPlacements) {
        CAPTURE(std::string(kind));
        const std::vector<std::uint32_t> numbers = placement(kind, data.view());
        CHECK(numbers.empty() == (kind == "stored"));
        CHECK(std::set<std::uint32_t>(numbers.begin(), numbers.end()).size() == numbers.size());
        CHECK(std::ranges::all_of(numbers, [](std::uint32_t n) { return n < 40; }));
        const Dataset moved = placed(data, numbers);
        CHECK(broken_promise(moved.view()) == "");
        CHECK(moved.view().columns == 40);
        bool same = moved.view().rows == data.view().rows;
        for (std::uint64_t i = 0; same && i < data.view().rows; ++i) {
            const SparseRow before = data.view().row(i), after = moved.view().row(i);
            same = before.label == after.label && entries(before, numbers) == entries(after, {});
        }
        CHECK(same);
    }
}

TEST_CASE("hottest puts the coordinates of most samples first, the first of equals before") {
    TestSamples samples;
    samples.columns = 5;
    samples.add(1.0f, {1, 3}, {1.0f, 1.0f});
    samples.add(1.0f, {3, 4}, {1.0f, 1.0f});
    samples.add(1.0f, {0, 3}, {1.0f, 1.0f});
    samples.add(1.0f, {1}, {1.0f});
    CHECK(placement("hottest", samples.view()) == std::vector<std::uint32_t>{2, 1, 4, 0, 3});
}

TEST_CASE("a test set may be narrower than the numbering") {
    TestSamples samples;
    samples.columns = 2;
    samples.add(1.0f, {0, 1}, {5.0f, 6.0f});
    const Dataset moved = placed(toy_dataset(samples).widened(3), {2, 0, 1});
    CHECK(moved.view().columns == 3);
    CHECK(entries(moved.view().row(0), {}) == std::map<std::uint32_t, float>{{0, 6.0f}, {2, 5.0f}});
}
