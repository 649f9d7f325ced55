#include "engine/data/synthetic/synthetic.h"

#include "engine/data/synthetic/recipe_words.h"

#include <array>
#include <limits>

namespace hogwild {
namespace {

constexpr recipe::Kind kKind{
    .whole = "a synthetic dataset",
    .noun = "dataset",
    .known = "known: rcv1, rcv1/N, tiny, rows=, features=, nonzeros=, zipf=, noise=, spread=, seed=, "
             "order=shuffled|frequency, held-out",
    .examples =
        "try synthetic:rcv1/10 or synthetic:rows=10000,features=2000,nonzeros=20, or name the --problem that other "
        "samples are for"};

// The published shape of RCV1 (Lewis et al. 2004, the 781,265 samples of the larger split).
SyntheticRecipe rcv1(std::uint64_t divisor) {
    SyntheticRecipe recipe;
    recipe.rows = recipe::divided(781265, divisor);
    recipe.features = 47236;
    recipe.nonzeros = 76;
    recipe.zipf = 1.0;
    recipe.noise = 0.03;
    recipe.spread = 0.6;
    return recipe;
}

constexpr std::array kPresets = {
    recipe::Preset<SyntheticRecipe>{.word = "rcv1", .of_part = rcv1},
    recipe::Preset<SyntheticRecipe>{
        .word = "tiny", .whole = [] { return SyntheticRecipe{.rows = 400, .features = 100, .nonzeros = 8}; }},
};

using Key = recipe::Key<SyntheticRecipe>;
constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
constexpr std::array kKeys = {
    Key{"rows", &SyntheticRecipe::rows, 1, kMost},
    Key{"features", &SyntheticRecipe::features, 1, kMost},
    Key{"nonzeros", &SyntheticRecipe::nonzeros, 1, kMost}, // and at most features
    Key{"zipf", &SyntheticRecipe::zipf, 0, 10},
    Key{"noise", &SyntheticRecipe::noise, 0, 1},
    Key{"spread", &SyntheticRecipe::spread, 0, 3},
    Key{"seed", &SyntheticRecipe::seed},
};

} // namespace

bool is_synthetic(const std::string& name) { return name.starts_with(recipe::kPrefix); }

SyntheticRecipe parse_synthetic(const std::string& name, std::uint64_t seed) {
    SyntheticRecipe recipe =
        recipe::parse(name, seed, kKind, kPresets, kKeys, [](SyntheticRecipe& of, const recipe::Part& part) {
            if (part.key != "order" || (part.value != "shuffled" && part.value != "frequency")) kKind.refuse_part(part);
            of.shuffled = part.value == "shuffled";
        });
    recipe::check_within("nonzeros", recipe.nonzeros, 1, recipe.features);
    return recipe;
}

std::string to_string(const SyntheticRecipe& recipe) {
    return fmt::format("rows={},features={},nonzeros={},zipf={},noise={},spread={},order={},seed={}{}", recipe.rows,
                       recipe.features, recipe.nonzeros, recipe.zipf, recipe.noise, recipe.spread,
                       recipe.shuffled ? "shuffled" : "frequency", recipe.seed, recipe.held_out ? ",held-out" : "");
}

} // namespace hogwild
