// The words of a generated dataset's name, "synthetic:WORD,KEY=VALUE,...": split, read as numbers, refused.
//
// Thread-safety: pure functions. Errors: Error (Failure::kUsage).
#pragma once

#include "engine/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace hogwild::recipe {

inline constexpr std::string_view kPrefix = "synthetic:";

/// `KEY=VALUE`, or a word alone.
struct Part {
    std::string_view text; // all of it
    std::string_view key;  // empty of a word
    std::string_view value;
};

/// What a kind of generated samples is called and takes: for whoever gets a name wrong.
struct Kind {
    std::string_view whole, noun; // "a synthetic graph", "graph"
    std::string_view known, examples;

    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(Failure::kUsage, what, std::string(known), std::string(examples));
    }
    [[noreturn]] void refuse_part(const Part& part) const {
        refuse(fmt::format("unknown part '{}' of {}", part.text, whole));
    }
};

/// The parts behind the prefix, in order; they borrow the name. Precondition: it has the prefix. Errors: for a key that stands twice.
inline std::vector<Part> parts(const std::string& name) {
    std::vector<Part> all;
    for (std::string_view rest = std::string_view(name).substr(kPrefix.size()); !rest.empty();) {
        const std::size_t comma = rest.find(',');
        const std::string_view text = rest.substr(0, comma);
        const std::size_t equals = text.find('=');
        const auto before = std::ranges::find(all, text.substr(0, equals), &Part::key);
        if (equals != std::string_view::npos && before != all.end()) {
            throw Error(Failure::kUsage, fmt::format("'{}' stands twice in a synthetic dataset", before->key),
                        fmt::format("as '{}' and as '{}'", before->text, text), "leave one out");
        }
        all.push_back(equals == std::string_view::npos ? Part{text, {}, {}}
                                                       : Part{text, text.substr(0, equals), text.substr(equals + 1)});
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return all;
}

/// The parts behind the prefix, at least one. Errors: for a name without any.
inline std::vector<Part> parts(const std::string& name, const Kind& kind) {
    std::vector<Part> all = parts(name);
    if (all.empty()) kind.refuse(fmt::format("'{}' names no {}", kPrefix, kind.noun));
    return all;
}

/// Which end of its numbers a text is beyond.
template <class Number>
std::string why_beyond(std::string_view text) {
    if constexpr (std::is_integral_v<Number>)
        return fmt::format("it is above the largest whole number here, {}", std::numeric_limits<Number>::max());
    else
        return std::abs(std::strtod(std::string(text).c_str(), nullptr)) < 1
                   ? "it is closer to 0 than the smallest number, 4.9e-324"
                   : "it is beyond the largest number, 1.8e308";
}

template <class Number>
Number number(std::string_view key, std::string_view text) {
    Number number{};
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure == std::errc{} && rest == text.data() + text.size()) return number;
    if (failure == std::errc::result_out_of_range && rest == text.data() + text.size()) {
        throw Error(Failure::kUsage, fmt::format("'{}={}' is out of range", key, text), why_beyond<Number>(text),
                    "change it");
    }
    throw Error(Failure::kUsage, fmt::format("'{}={}' is no number", key, text), "as a key of a synthetic dataset",
                "write a number");
}

/// What a preset's sizes are divided by: of the word "NAME/N", or 1 of "NAME"; 0: it is another word.
inline std::uint64_t divisor(std::string_view word, std::string_view name) {
    if (!word.starts_with(name)) return 0;
    const std::string_view rest = word.substr(name.size());
    if (rest.empty()) return 1;
    if (!rest.starts_with('/')) return 0;
    const auto parts = number<std::uint64_t>(fmt::format("{}/N", name), rest.substr(1));
    if (parts > 0) return parts;
    throw Error(Failure::kUsage, fmt::format("'{}' divides by zero", word), "N divides the number of samples",
                fmt::format("use {}/10", name));
}

/// `all` in so many parts, rounded up.
inline std::uint64_t divided(std::uint64_t all, std::uint64_t parts) { return (all - 1) / parts + 1; }

inline void check_within(std::string_view key, double value, double low, double high) {
    if (value >= low && value <= high) return; // false for NaN
    throw Error(Failure::kUsage, fmt::format("{}={} is out of range", key, value),
                fmt::format("it lies between {} and {}", low, high), "change it");
}

/// A key of a recipe: the number that it sets, and what that may be.
template <class Recipe>
struct Key {
    std::string_view name;
    std::variant<std::uint64_t Recipe::*, std::uint32_t Recipe::*, double Recipe::*> field;
    double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

/// Takes `held-out`, where the recipe has such samples, and what the keys name; hands all other parts to `other`.
template <class Recipe, std::size_t N>
void set(Recipe& recipe, std::span<const Part> parts, const std::array<Key<Recipe>, N>& keys, const auto& other) {
    for (const Part& part : parts) {
        if constexpr (requires { recipe.held_out; }) {
            if (part.text == "held-out") {
                recipe.held_out = true;
                continue;
            }
        }
        const auto at = std::ranges::find(keys, part.key, &Key<Recipe>::name);
        if (at == keys.end()) {
            other(part);
        } else {
            const auto read = [&]<class Number>(Number Recipe::*field) {
                recipe.*field = number<Number>(part.key, part.value);
            };
            std::visit(read, at->field);
        }
    }
}

/// Errors: for the first number that is out of its range.
template <class Recipe, std::size_t N>
void check(const Recipe& recipe, const std::array<Key<Recipe>, N>& keys) {
    for (const Key<Recipe>& key : keys) {
        const auto value = [&](auto field) { return static_cast<double>(recipe.*field); };
        check_within(key.name, std::visit(value, key.field), key.least, key.most);
    }
}

/// A word that stands for a whole recipe: "tiny", or with `of_part` "rcv1" and its N-th part "rcv1/N".
template <class Recipe>
struct Preset {
    std::string_view word;
    Recipe (*whole)() = nullptr;
    Recipe (*of_part)(std::uint64_t divisor) = nullptr;
};

/// The recipe of a name: a preset or not, this seed, then what its other parts say, each in its range.
/// `other` takes the recipe and a part that no key names.
template <class Recipe, std::size_t N, std::size_t P>
Recipe parse(const std::string& name, std::uint64_t seed, const Kind& kind,
             const std::array<Preset<Recipe>, P>& presets, const std::array<Key<Recipe>, N>& keys, const auto& other) {
    const std::vector<Part> words = parts(name, kind);
    Recipe recipe;
    std::size_t taken = 0;
    for (const Preset<Recipe>& preset : presets) {
        const std::uint64_t divisor = preset.of_part == nullptr ? 0 : recipe::divisor(words[0].text, preset.word);
        if (divisor == 0 && (preset.whole == nullptr || words[0].text != preset.word)) continue;
        recipe = divisor > 0 ? preset.of_part(divisor) : preset.whole();
        taken = 1;
    }
    recipe.seed = seed;
    set(recipe, std::span(words).subspan(taken), keys, [&](const Part& part) { other(recipe, part); });
    check(recipe, keys);
    return recipe;
}

/// Where no other part than a key's is known.
template <class Recipe, std::size_t N, std::size_t P>
Recipe parse(const std::string& name, std::uint64_t seed, const Kind& kind,
             const std::array<Preset<Recipe>, P>& presets, const std::array<Key<Recipe>, N>& keys) {
    return parse(name, seed, kind, presets, keys, [&](const Recipe&, const Part& part) { kind.refuse_part(part); });
}

} // namespace hogwild::recipe
