#include "engine/data/synthetic/synthetic_ratings.h"

#include "engine/data/load.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"
#include "engine/machine/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace hogwild;

namespace {

std::string bytes_of(const RatingsArray& array) {
    return {reinterpret_cast<const char*>(array.ratings.data()), array.ratings.size() * sizeof(Rating)};
}

RatingsRecipe small() { return parse_synthetic_ratings("synthetic:ratings=50000,users=2000,items=300", 1); }

std::string ratings_refusal(const std::string& recipe) {
    try {
        parse_synthetic_ratings("synthetic:" + recipe, 1);
        return "accepted";
    } catch (const Error& error) {
        return error.what();
    }
}

} // namespace

TEST_CASE("generated ratings are the same bits for a seed, at any number of threads, others for another") { // oracle 15
    const std::string once = bytes_of(*generate(small()));
    CHECK(content_hash(once) == 13597830894028307915u); // and on any machine
    const unsigned before = parallelism();
    set_parallelism(1);
    CHECK(bytes_of(*generate(small())) == once);
    set_parallelism(before);
    RatingsRecipe other = small();
    other.seed = 2;
    CHECK(bytes_of(*generate(other)) != once);
    other = small();
    other.held_out = true;
    const auto held_out = generate(other);
    CHECK(held_out->ratings.size() == 5'000);
    CHECK(bytes_of(*held_out) != once.substr(0, 5'000 * sizeof(Rating)));
}

TEST_CASE("users and items are as popular as their exponents say, and values around the mean") {
    RatingsRecipe recipe = small();
    recipe.item_zipf = 1;
    const auto array = generate(recipe);
    std::vector<std::uint32_t> counts(300);
    double sum = 0, squares = 0;
    for (const Rating& rating : array->ratings.span()) {
        REQUIRE(rating.user < 2'000);
        REQUIRE(rating.item < 300);
        ++counts[rating.item];
        sum += rating.value;
    }
    const double mean = sum / 50'000;
    for (const Rating& rating : array->ratings.span()) squares += std::pow(rating.value - mean, 2);
    CHECK(array->mean == doctest::Approx(mean));
    std::ranges::sort(counts, std::greater());
    double harmonic = 0;
    for (int rank = 1; rank <= 300; ++rank) harmonic += 1.0 / rank;
    for (const int rank : {1, 2, 5}) {
        const double expected = 50'000 / harmonic / rank;
        CHECK(std::abs(counts[static_cast<std::size_t>(rank) - 1] - expected) < 5 * std::sqrt(expected));
    }
    // Biases 0.3 each, product 0.7, noise 0.5: variance 0.92, of one draw of all users' and items' factors.
    CHECK(squares / 50'000 == doctest::Approx(0.92).epsilon(0.25));
}

TEST_CASE("stars are whole, and presets have their published shapes") {
    RatingsRecipe recipe = parse_synthetic_ratings("synthetic:netflix/1000", 1);
    CHECK(recipe.ratings == 100'481);
    CHECK(recipe.users == 481);
    CHECK(recipe.items == 17'770);
    const auto array = generate(recipe);
    for (const Rating& rating : array->ratings.span()) {
        CHECK(rating.value == std::round(rating.value));
        CHECK(rating.value >= 1);
        CHECK(rating.value <= 5);
    }
    recipe = parse_synthetic_ratings("synthetic:jumbo/1000,seed=4", 1);
    CHECK(recipe.ratings == 2'000'000);
    CHECK(recipe.users == 10'000);
    CHECK(recipe.items == 10'000);
    CHECK(recipe.rank == 10);
    CHECK(recipe.seed == 4);
    CHECK(to_string(recipe) ==
          "ratings=2000000,users=10000,items=10000,rank=10,user-zipf=0,item-zipf=0,noise=0.1,mean=0,stars=0,seed=4");
}

TEST_CASE("a held-out set takes its training set's mean") {
    LoadOptions options;
    options.samples = RatingsView::kSamples;
    options.keep_labels = true;
    const TrainTest pair = load_pair("synthetic:tiny", "synthetic:tiny,held-out", options);
    CHECK(pair.test.view().rows() == 400);
    CHECK(pair.test.view().as<RatingsView>().model.mean == pair.train.view().as<RatingsView>().model.mean);
}

TEST_CASE("recipes of ratings are refused with what is known") {
    CHECK(
        ratings_refusal("rows=3") ==
        "unknown part 'rows=3' of synthetic ratings (known: netflix, netflix/N, jumbo, jumbo/N, tiny, ratings=, "
        "users=, "
        "items=, rank=, user-zipf=, item-zipf=, noise=, mean=, stars=, seed=, held-out); try synthetic:netflix/100 or "
        "synthetic:ratings=100000,users=1000,items=500");
    CHECK(ratings_refusal("").starts_with("'synthetic:' names no ratings "));
    CHECK(ratings_refusal("rcv1").starts_with("unknown part 'rcv1' "));
    CHECK(ratings_refusal("users=0").starts_with("users=0 is out of range "));
    CHECK(ratings_refusal("noise=nan").starts_with("noise=nan is out of range "));
    CHECK(ratings_refusal("netflix/0").starts_with("'netflix/0' divides by zero "));
    CHECK(ratings_refusal("ratings=many").starts_with("'ratings=many' is no number "));
}
