#include "engine/data/synthetic/recipe_words.h"
#include "engine/data/synthetic/synthetic_images.h"

#include <limits>
#include <span>

namespace hogwild {
namespace {

constexpr recipe::Kind kKind{
    .whole = "synthetic images",
    .noun = "images",
    .known = "known: images, images/N, tiny, rows=, height=, width=, channels=, classes=, noise=, seed=, held-out",
    .examples = "try synthetic:images/10 or synthetic:images,rows=10000,height=32,width=32,channels=3"};

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
    const std::vector<recipe::Part> parts = recipe::parts(name, kKind);
    ImagesRecipe recipe;
    const std::uint64_t divisor = recipe::divisor(parts[0].text, "images");
    if (divisor > 0) recipe.rows = recipe::divided(recipe.rows, divisor);
    if (parts[0].text == "tiny") recipe.rows = 400;
    recipe.seed = seed;
    const bool preset = divisor > 0 || parts[0].text == "tiny";
    recipe::set(recipe, std::span(parts).subspan(preset ? 1 : 0), kKeys,
                [](const recipe::Part& part) { kKind.refuse_part(part); });
    recipe::check(recipe, kKeys);
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
