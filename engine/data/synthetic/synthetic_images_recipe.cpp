#include "engine/data/synthetic/recipe_words.h"
#include "engine/data/synthetic/synthetic_images.h"

#include <array>
#include <limits>

namespace hogwild {
namespace {

constexpr recipe::Kind kKind{
    .whole = "synthetic images",
    .noun = "images",
    .known = "known: images, images/N, tiny, rows=, height=, width=, channels=, classes=, noise=, seed=, held-out",
    .examples = "try synthetic:images/10 or synthetic:images,rows=10000,height=32,width=32,channels=3"};

ImagesRecipe of_rows(std::uint64_t rows) {
    ImagesRecipe recipe;
    recipe.rows = rows;
    return recipe;
}

constexpr std::array kPresets = {
    recipe::Preset<ImagesRecipe>{
        .word = "images",
        .of_part = [](std::uint64_t parts) { return of_rows(recipe::divided(ImagesRecipe{}.rows, parts)); }},
    recipe::Preset<ImagesRecipe>{.word = "tiny", .whole = [] { return of_rows(400); }},
};

using Key = recipe::Key<ImagesRecipe>;
constexpr std::array kKeys = {
    Key{"rows", &ImagesRecipe::rows, 1, std::numeric_limits<std::uint32_t>::max() - 1.0},
    Key{"height", &ImagesRecipe::height, 1, 1024},
    Key{"width", &ImagesRecipe::width, 1, 1024},
    Key{"channels", &ImagesRecipe::channels, 1, 16},
    Key{"classes", &ImagesRecipe::classes, 2, ImagesView::kMostClasses},
    Key{"noise", &ImagesRecipe::noise, 0, 1},
    Key{"seed", &ImagesRecipe::seed},
};

} // namespace

bool is_synthetic_images(const std::string& name) { return name.starts_with("synthetic:images"); }

ImagesRecipe parse_synthetic_images(const std::string& name, std::uint64_t seed) {
    const ImagesRecipe recipe = recipe::parse(name, seed, kKind, kPresets, kKeys);
    if (recipe.rows < recipe.classes)
        throw Error(Failure::kUsage, name + " holds too few images",
                    fmt::format("{} of {} classes, each of which has one", recipe.rows, recipe.classes),
                    "ask for more, as synthetic:images/10 does");
    return recipe;
}

std::string to_string(const ImagesRecipe& recipe) {
    return fmt::format("rows={},height={},width={},channels={},classes={},noise={},seed={}{}", recipe.rows,
                       recipe.height, recipe.width, recipe.channels, recipe.classes, recipe.noise, recipe.seed,
                       recipe.held_out ? ",held-out" : "");
}

} // namespace hogwild
