#include "engine/data/synthetic/synthetic_ratings.h"

#include "engine/data/synthetic/recipe_words.h"

#include <array>
#include <limits>

namespace hogwild {
namespace {

constexpr recipe::Kind kKind{
    .whole = "synthetic ratings",
    .noun = "ratings",
    .known =
        "known: netflix, netflix/N, jumbo, jumbo/N, tiny, ratings=, users=, items=, rank=, user-zipf=, item-zipf=, "
        "noise=, mean=, stars=, seed=, held-out",
    .examples = "try synthetic:netflix/100 or synthetic:ratings=100000,users=1000,items=500"};

/// Bennett and Lanning, "The Netflix Prize", 2007: 100,480,507 ratings by 480,189 users of 17,770 films. The most frequent film has
/// 232,944 ratings and the busiest user 17,653 (0.23 % and 0.018 %): the exponents are those that give these shares.
RatingsRecipe netflix(std::uint64_t divisor) {
    RatingsRecipe recipe;
    recipe.ratings = recipe::divided(100'480'507, divisor);
    recipe.users = static_cast<std::uint32_t>(recipe::divided(480'189, divisor));
    recipe.items = 17'770;
    recipe.user_zipf = 0.375;
    recipe.item_zipf = 0.44;
    recipe.noise = 0.7;
    recipe.mean = 3.6;
    recipe.stars = 5;
    return recipe;
}

/// Recht et al. 2011, section 6 ("Jumbo"): 2 billion entries of a matrix of 10^7 by 10^7 of rank 10.
RatingsRecipe jumbo(std::uint64_t divisor) {
    RatingsRecipe recipe;
    recipe.ratings = recipe::divided(2'000'000'000, divisor);
    recipe.users = recipe.items = static_cast<std::uint32_t>(recipe::divided(10'000'000, divisor));
    recipe.rank = 10;
    recipe.user_zipf = recipe.item_zipf = 0;
    recipe.noise = 0.1;
    recipe.mean = 0;
    return recipe;
}

constexpr std::array kPresets = {
    recipe::Preset<RatingsRecipe>{.word = "netflix", .of_part = netflix},
    recipe::Preset<RatingsRecipe>{.word = "jumbo", .of_part = jumbo},
    recipe::Preset<RatingsRecipe>{.word = "tiny",
                                  .whole = [] { return RatingsRecipe{.ratings = 4000, .users = 100, .items = 50}; }},
};

using Key = recipe::Key<RatingsRecipe>;
constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
constexpr std::array kKeys = {
    Key{"ratings", &RatingsRecipe::ratings, 1, kMost - 1}, Key{"users", &RatingsRecipe::users, 1, kMost / 2},
    Key{"items", &RatingsRecipe::items, 1, kMost / 2},     Key{"rank", &RatingsRecipe::rank, 1, 1024},
    Key{"user-zipf", &RatingsRecipe::user_zipf, 0, 10},    Key{"item-zipf", &RatingsRecipe::item_zipf, 0, 10},
    Key{"noise", &RatingsRecipe::noise, 0, 1e6},           Key{"mean", &RatingsRecipe::mean, -1e6, 1e6},
    Key{"stars", &RatingsRecipe::stars, 0, 1000},          Key{"seed", &RatingsRecipe::seed},
};

} // namespace

RatingsRecipe parse_synthetic_ratings(const std::string& name, std::uint64_t seed) {
    return recipe::parse(name, seed, kKind, kPresets, kKeys);
}

std::string to_string(const RatingsRecipe& recipe) {
    return fmt::format(
        "ratings={},users={},items={},rank={},user-zipf={},item-zipf={},noise={},mean={},stars={},seed={}{}",
        recipe.ratings, recipe.users, recipe.items, recipe.rank, recipe.user_zipf, recipe.item_zipf, recipe.noise,
        recipe.mean, recipe.stars, recipe.seed, recipe.held_out ? ",held-out" : "");
}

} // namespace hogwild
