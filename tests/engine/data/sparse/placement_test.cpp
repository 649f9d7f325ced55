#include "engine/data/sparse/placement.h"

#include "engine/data/statistics.h"
#include "tests/engine/data/samples.h"
#include "tests/engine/toys/toy_samples.h"

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
    for (const std::string_view kind : names_of<kPlacementTraits>()) {
        CAPTURE(std::string(kind));
        const std::vector<std::uint32_t> numbers = placement(kind, data.sparse(), 7);
        CHECK(numbers.empty() == (kind == "stored"));
        CHECK(std::set<std::uint32_t>(numbers.begin(), numbers.end()).size() == numbers.size());
        CHECK(std::ranges::all_of(numbers, [](std::uint32_t n) { return n < 40; }));
        const Dataset moved = placed(data, numbers);
        CHECK(broken_promise(moved.sparse()) == "");
        CHECK(moved.sparse().columns == 40);
        bool same = moved.sparse().rows == data.sparse().rows;
        for (std::uint64_t i = 0; same && i < data.view().rows(); ++i) {
            const SparseRow before = data.sparse().row(i), after = moved.sparse().row(i);
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
    CHECK(placement("hottest", samples.view(), 0) == std::vector<std::uint32_t>{2, 1, 4, 0, 3});
}

TEST_CASE("the hot come first, or on lines of their own where there are enough; among the others is no order") {
    const Dataset data = toy_dataset(random_samples(9'000, 400, 6, 2));
    const std::vector<std::uint32_t> hottest = placement("hottest", data.sparse(), 0);
    for (const auto& [hot, shift] :
         {std::pair{1u, 4u}, {25u, 4u}, {26u, 3u}, {50u, 3u}, {200u, 1u}, {201u, 0u}, {400u, 0u}, {999u, 0u}}) {
        CHECK(hot_shift("hot-apart", 400, std::min(hot, 400u)) == shift);
        CHECK(hot_shift("hot-first", 400, std::min(hot, 400u)) == 0);
        CHECK(hot_shift("hottest", 400, std::min(hot, 400u)) == 0);
        for (const std::string kind : {"hot-first", "hot-apart"}) {
            const std::vector<std::uint32_t> mixed = placement(kind, data.sparse(), hot);
            const std::uint32_t up = kind == "hot-apart" ? shift : 0;
            std::size_t same = 0;
            bool in_place = true;
            for (std::uint32_t j = 0; j < 400; ++j) {
                if (hottest[j] < hot) in_place &= mixed[j] == hottest[j] << up;
                if (hottest[j] >= hot) same += mixed[j] == hottest[j];
            }
            CHECK(in_place);
            CHECK(same < 20);
        }
    }
}

TEST_CASE("a test set may be narrower than the numbering") {
    TestSamples samples;
    samples.columns = 2;
    samples.add(1.0f, {0, 1}, {5.0f, 6.0f});
    const Dataset moved = placed(toy_dataset(samples).widened(SparseView{.columns = 3}), {2, 0, 1});
    CHECK(moved.sparse().columns == 3);
    CHECK(entries(moved.sparse().row(0), {}) == std::map<std::uint32_t, float>{{0, 6.0f}, {2, 5.0f}});
}
