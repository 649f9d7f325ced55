#include "engine/data/synthetic.h"

#include "engine/error.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::string_view kPrefix = "synthetic:";
constexpr std::string_view kKnown = "known: rcv1, rcv1/N, rows=, features=, nonzeros=, zipf=, noise=, spread=, seed=, "
                                    "order=shuffled|frequency, held-out";

[[noreturn]] void
refuse(const std::string& what, std::string_view why = kKnown,
       std::string_view suggestion = "try synthetic:rcv1/10 or synthetic:rows=10000,features=2000,nonzeros=20") {
    throw Error(Failure::kUsage, what, std::string(why), std::string(suggestion));
}

template <class Number>
Number number_of(std::string_view key, std::string_view text) {
    Number number{};
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || rest != text.data() + text.size()) {
        refuse(fmt::format("'{}={}' is no number", key, text), "as a key of a synthetic dataset");
    }
    return number;
}

// The published shape of RCV1 (Lewis et al. 2004, the 781,265 samples of the larger split).
SyntheticRecipe rcv1(std::string_view divisor_text) {
    SyntheticRecipe recipe;
    recipe.rows = 781265;
    recipe.features = 47236;
    recipe.nonzeros = 76;
    recipe.zipf = 1.0;
    recipe.noise = 0.03;
    recipe.spread = 0.6;
    if (!divisor_text.empty()) {
        const auto divisor = number_of<std::uint64_t>("rcv1/N", divisor_text.substr(1));
        if (divisor == 0) refuse("'rcv1/0' divides by zero", "N divides the number of rows", "use rcv1/10");
        recipe.rows = (recipe.rows - 1) / divisor + 1;
    }
    return recipe;
}

void set(SyntheticRecipe& recipe, std::string_view key, std::string_view value) {
    if (key == "rows")
        recipe.rows = number_of<std::uint64_t>(key, value);
    else if (key == "features")
        recipe.features = number_of<std::uint32_t>(key, value);
    else if (key == "nonzeros")
        recipe.nonzeros = number_of<double>(key, value);
    else if (key == "zipf")
        recipe.zipf = number_of<double>(key, value);
    else if (key == "noise")
        recipe.noise = number_of<double>(key, value);
    else if (key == "spread")
        recipe.spread = number_of<double>(key, value);
    else if (key == "seed")
        recipe.seed = number_of<std::uint64_t>(key, value);
    else if (key == "order" && (value == "shuffled" || value == "frequency"))
        recipe.shuffled = value == "shuffled";
    else
        refuse(fmt::format("unknown part '{}={}' of a synthetic dataset", key, value));
}

void check(const SyntheticRecipe& recipe) {
    auto within = [](std::string_view key, double value, double low, double high) {
        if (value >= low && value <= high) return; // false for NaN
        refuse(fmt::format("{}={} is out of range", key, value), fmt::format("it lies between {} and {}", low, high),
               "change it");
    };
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
    within("rows", static_cast<double>(recipe.rows), 1, kMost);
    within("features", recipe.features, 1, kMost);
    within("nonzeros", recipe.nonzeros, 1, recipe.features);
    within("zipf", recipe.zipf, 0, 10);
    within("noise", recipe.noise, 0, 1);
    within("spread", recipe.spread, 0, 3);
}

} // namespace

bool is_synthetic(const std::string& name) { return name.starts_with(kPrefix); }

SyntheticRecipe parse_synthetic(const std::string& name, std::uint64_t seed) {
    SyntheticRecipe recipe;
    recipe.seed = seed;
    std::string_view rest = std::string_view(name).substr(kPrefix.size());
    if (rest.empty()) refuse("'synthetic:' names no dataset");
    for (bool first = true; !rest.empty(); first = false) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        const std::size_t equals = part.find('=');
        if (first && (part == "rcv1" || part.starts_with("rcv1/"))) {
            recipe = rcv1(part.substr(4));
            recipe.seed = seed;
        } else if (part == "held-out") {
            recipe.held_out = true;
        } else if (equals != std::string_view::npos) {
            set(recipe, part.substr(0, equals), part.substr(equals + 1));
        } else {
            refuse(fmt::format("unknown part '{}' of a synthetic dataset", part));
        }
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
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
