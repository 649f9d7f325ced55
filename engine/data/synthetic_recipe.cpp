#include "engine/data/synthetic.h"

#include "engine/data/recipe_words.h"

#include <limits>

namespace hogwild {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw Error(Failure::kUsage, what,
                "known: rcv1, rcv1/N, tiny, rows=, features=, nonzeros=, zipf=, noise=, spread=, seed=, "
                "order=shuffled|frequency, held-out",
                "try synthetic:rcv1/10 or synthetic:rows=10000,features=2000,nonzeros=20");
}

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

void set(SyntheticRecipe& recipe, const recipe::Part& part) {
    const auto [text, key, value] = part;
    if (key == "rows")
        recipe.rows = recipe::number<std::uint64_t>(key, value);
    else if (key == "features")
        recipe.features = recipe::number<std::uint32_t>(key, value);
    else if (key == "nonzeros")
        recipe.nonzeros = recipe::number<double>(key, value);
    else if (key == "zipf")
        recipe.zipf = recipe::number<double>(key, value);
    else if (key == "noise")
        recipe.noise = recipe::number<double>(key, value);
    else if (key == "spread")
        recipe.spread = recipe::number<double>(key, value);
    else if (key == "seed")
        recipe.seed = recipe::number<std::uint64_t>(key, value);
    else if (key == "order" && (value == "shuffled" || value == "frequency"))
        recipe.shuffled = value == "shuffled";
    else
        refuse(fmt::format("unknown part '{}' of a synthetic dataset", text));
}

void check(const SyntheticRecipe& recipe) {
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
    recipe::check_within("rows", static_cast<double>(recipe.rows), 1, kMost);
    recipe::check_within("features", recipe.features, 1, kMost);
    recipe::check_within("nonzeros", recipe.nonzeros, 1, recipe.features);
    recipe::check_within("zipf", recipe.zipf, 0, 10);
    recipe::check_within("noise", recipe.noise, 0, 1);
    recipe::check_within("spread", recipe.spread, 0, 3);
}

} // namespace

bool is_synthetic(const std::string& name) { return name.starts_with(recipe::kPrefix); }

SyntheticRecipe parse_synthetic(const std::string& name, std::uint64_t seed) {
    SyntheticRecipe recipe;
    const std::vector<recipe::Part> parts = recipe::parts(name);
    if (parts.empty()) refuse("'synthetic:' names no dataset");
    const std::uint64_t divisor = recipe::divisor(parts[0].text, "rcv1");
    if (divisor > 0) recipe = rcv1(divisor);
    if (parts[0].text == "tiny") recipe = {.rows = 400, .features = 100, .nonzeros = 8};
    recipe.seed = seed;
    for (const recipe::Part& part : parts) {
        const bool preset = &part == &parts[0] && (divisor > 0 || part.text == "tiny");
        if (preset) continue;
        if (part.text == "held-out") {
            recipe.held_out = true;
        } else {
            set(recipe, part);
        }
    }
    check(recipe);
    return recipe;
}

std::string to_string(const SyntheticRecipe& recipe) {
    return fmt::format("rows={},features={},nonzeros={},zipf={},noise={},spread={},order={},seed={}{}", recipe.rows,
                       recipe.features, recipe.nonzeros, recipe.zipf, recipe.noise, recipe.spread,
                       recipe.shuffled ? "shuffled" : "frequency", recipe.seed, recipe.held_out ? ",held-out" : "");
}

} // namespace hogwild
