#include "engine/data/split.h"

#include "engine/data/ratings/ratings.h"
#include "engine/error.h"
#include "engine/machine/parallel.h"
#include "tests/engine/toys/toy_ratings_samples.h"
#include "tests/engine/toys/toy_samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

using namespace hogwild;

namespace {

bool same(const Rating& a, const Rating& b) { return std::memcmp(&a, &b, sizeof(Rating)) == 0; }

/// All ratings are different.
Dataset numbered(std::uint32_t rows) {
    TestRatings ratings = random_ratings(rows, 50, 40, {.mean = 3}, 3);
    for (std::uint32_t i = 0; i < rows; ++i) ratings.ratings[i].value = static_cast<float>(i);
    return ratings_dataset(std::move(ratings));
}

} // namespace

TEST_CASE("a split gives every sample to one part, in order, about the share of them to the test") {
    const Dataset all = numbered(20'000);
    const TrainTest parts = held_out(all, 0.1, 7);
    const auto &whole = all.view().as<RatingsView>(), &train = parts.train.view().as<RatingsView>(),
               &test = parts.test.view().as<RatingsView>();
    REQUIRE(train.rows + test.rows == 20'000);
    CHECK(std::abs(static_cast<double>(test.rows) - 2'000) < 5 * std::sqrt(20'000 * 0.1 * 0.9));
    std::uint64_t in_train = 0, in_test = 0;
    for (std::uint64_t i = 0; i < whole.rows; ++i) {
        if (in_train < train.rows && same(whole.ratings[i], train.ratings[in_train])) {
            ++in_train;
        } else {
            REQUIRE(same(whole.ratings[i], test.ratings[in_test++]));
        }
    }
    CHECK(train.users == 50);
    CHECK(test.items == 40);
    const auto of_first =
        std::count_if(train.ratings, train.ratings + train.rows, [](const Rating& r) { return r.user == 0; });
    CHECK(train.user_rarities.of[0] == 1 / std::sqrt(static_cast<float>(of_first))); // counted anew
    CHECK(train.model.mean == mean_rating(std::span(train.ratings, train.rows)));
    CHECK(test.model.mean == train.model.mean);
    CHECK(parts.train.content_hash() != all.content_hash());
    CHECK(parts.train.content_hash() != parts.test.content_hash());
}

TEST_CASE("the seed says which samples, at any number of threads") {
    const Dataset all = numbered(5'000);
    const auto test_of = [&](double share, std::uint64_t seed) {
        const TrainTest parts = held_out(all, share, seed);
        const auto& view = parts.test.view().as<RatingsView>();
        return std::string(reinterpret_cast<const char*>(view.ratings), view.rows * sizeof(Rating));
    };
    const std::string one = test_of(0.2, 1);
    CHECK(test_of(0.2, 2) != one);
    const unsigned before = parallelism();
    set_parallelism(1);
    CHECK(test_of(0.2, 1) == one);
    set_parallelism(before);
    CHECK(test_of(0.1, 1).size() < one.size());
}

TEST_CASE("ratings that are given away are split where they lie, into the parts that a copy has") {
    const Dataset all = numbered(700'000);
    std::shared_ptr<RatingsArray> own = own_ratings(all);
    const RatingsView view = own->view();
    Dataset given(all.name(), all.content_hash(), view, std::move(own));
    const TrainTest expected = held_out(given, 0.3, 2);
    const std::uint64_t before = Pages::held();
    Pages::watch();
    const TrainTest parts = held_out(std::move(given), 0.3, 2);
    CHECK(Pages::most_held() < before + 4 * 4 * (50 + 40)); // rarities, and their counts
    const auto bytes_of = [](const Dataset& part) {
        const auto& view = part.view().as<RatingsView>();
        return std::string(reinterpret_cast<const char*>(view.ratings), view.rows * sizeof(Rating));
    };
    CHECK(bytes_of(parts.train) == bytes_of(expected.train));
    CHECK(bytes_of(parts.test) == bytes_of(expected.test));
    CHECK(parts.train.view().as<RatingsView>().model.mean == expected.train.view().as<RatingsView>().model.mean);
    CHECK(parts.train.content_hash() == expected.train.content_hash());
    CHECK(all.view().as<RatingsView>().ratings[699'999].value == 699'999); // what was shared is as it was
}

TEST_CASE("sparse rows are split whole") {
    const TrainTest parts = held_out(crowded(), 0.25, 1);
    CHECK(parts.train.view().rows() + parts.test.view().rows() == 1'000);
    CHECK(parts.train.view().nonzeros() + parts.test.view().nonzeros() == crowded().view().nonzeros());
    CHECK(parts.test.sparse().columns == 40);
}

TEST_CASE("a part without samples is refused") {
    try {
        held_out(numbered(3), 1e-6, 1);
        FAIL("split");
    } catch (const Error& error) {
        CHECK(std::string(error.what()) ==
              "ratings cannot be split (a share of 1e-06 of its 3 samples, or the rest, is "
              "none); take another share, or no test");
    }
}
