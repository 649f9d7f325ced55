#include "engine/data/recipe_words.h"
#include "engine/data/synthetic_images.h"

#include <limits>

namespace hogwild {
namespace {

[[noreturn]] void refuse(const std::string& what) {
    throw Error(Failure::kUsage, what,
                "known: images, images/N, tiny, rows=, height=, width=, channels=, classes=, noise=, seed=, held-out",
                "try synthetic:images/10 or synthetic:images,rows=10000,height=32,width=32,channels=3");
}

void set(ImagesRecipe& recipe, const recipe::Part& part) {
    const auto [text, key, value] = part;
    if (key == "rows")
        recipe.rows = recipe::number<std::uint64_t>(key, value);
    else if (key == "height")
        recipe.height = recipe::number<std::uint32_t>(key, value);
    else if (key == "width")
        recipe.width = recipe::number<std::uint32_t>(key, value);
    else if (key == "channels")
        recipe.channels = recipe::number<std::uint32_t>(key, value);
    else if (key == "classes")
        recipe.classes = recipe::number<std::uint32_t>(key, value);
    else if (key == "noise")
        recipe.noise = recipe::number<double>(key, value);
    else if (key == "seed")
        recipe.seed = recipe::number<std::uint64_t>(key, value);
    else
        refuse(fmt::format("unknown part '{}' of synthetic images", text));
}

void check(const ImagesRecipe& recipe) {
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max() - 1.0;
    recipe::check_within("height", recipe.height, 1, 1024);
    recipe::check_within("width", recipe.width, 1, 1024);
    recipe::check_within("channels", recipe.channels, 1, 16);
    recipe::check_within("classes", recipe.classes, 2, ImagesView::kMostClasses);
    recipe::check_within("rows", static_cast<double>(recipe.rows), recipe.classes, kMost); // one of each class
    recipe::check_within("noise", recipe.noise, 0, 1);
}

} // namespace

ImagesRecipe parse_synthetic_images(const std::string& name, std::uint64_t seed) {
    const std::vector<recipe::Part> parts = recipe::parts(name);
    if (parts.empty()) refuse("'synthetic:' names no images");
    ImagesRecipe recipe;
    const std::uint64_t divisor = recipe::divisor(parts[0].text, "images");
    if (divisor > 0) recipe.rows = recipe::divided(recipe.rows, divisor);
    if (parts[0].text == "tiny") recipe.rows = 400;
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

std::string to_string(const ImagesRecipe& recipe) {
    return fmt::format("rows={},height={},width={},channels={},classes={},noise={},seed={}{}", recipe.rows,
                       recipe.height, recipe.width, recipe.channels, recipe.classes, recipe.noise, recipe.seed,
                       recipe.held_out ? ",held-out" : "");
}

} // namespace hogwild
