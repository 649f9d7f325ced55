#include "engine/data/synthetic/synthetic_words.h"

#include "engine/data/synthetic/recipe_words.h"
#include "engine/data/synthetic/zipf.h"
#include "engine/error.h"
#include "kernels/numbers/random.h"

#include <array>
#include <limits>
#include <string_view>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::string_view kName = "synthetic:words", kTiny = "synthetic:tiny";
constexpr std::uint64_t kSentence = 20; // words

constexpr recipe::Kind kKind{.whole = "a generated text",
                             .noun = "text",
                             .known = "known: tokens= (below 2^32), words= and topics= (1 to 1000000), seed=",
                             .examples = "try synthetic:words,tokens=100000,words=1000,topics=20"};

constexpr std::array kPresets = {
    recipe::Preset<WordsRecipe>{.word = "words", .whole = [] { return WordsRecipe{}; }},
    recipe::Preset<WordsRecipe>{.word = "tiny",
                                .whole = [] { return WordsRecipe{.tokens = 2'000, .words = 50, .topics = 5}; }},
};

using Key = recipe::Key<WordsRecipe>;
constexpr std::array kKeys = {
    Key{"tokens", &WordsRecipe::tokens, 1, std::numeric_limits<std::uint32_t>::max()},
    Key{"words", &WordsRecipe::words, 1, 1'000'000},
    Key{"topics", &WordsRecipe::topics, 1, 1'000'000},
    Key{"seed", &WordsRecipe::seed},
};

} // namespace

bool is_synthetic_words(const std::string& name) {
    return name == kName || name == kTiny || (name.starts_with(kName) && name[kName.size()] == ',');
}

WordsRecipe parse_words(const std::string& name, std::uint64_t seed) {
    if (name.ends_with(',')) kKind.refuse_part({});
    const WordsRecipe recipe = recipe::parse(name, seed, kKind, kPresets, kKeys);
    if (recipe.topics > recipe.words)
        throw Error(Failure::kUsage, fmt::format("{} topics of {} words", recipe.topics, recipe.words),
                    "each topic has a word at least", std::string(kKind.examples));
    return recipe;
}

std::string generate_text(const WordsRecipe& recipe) {
    const Zipf any(recipe.words, 1), of_topic(recipe.words / recipe.topics, 1);
    const PhiloxKey key = philox_key(recipe.seed);
    std::string text;
    for (std::uint64_t i = 0; i < recipe.tokens; ++i) {
        const auto draw = [&](std::uint64_t number, std::uint32_t use) {
            return philox({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), use, 0}, key);
        };
        const std::uint32_t topic = draw(i / kSentence, 0)[0] % recipe.topics;
        const PhiloxCounter bits = draw(i, 1);
        const std::uint32_t word =
            bits[0] % 3 == 0 ? any(bits[1], bits[2]) : of_topic(bits[1], bits[2]) * recipe.topics + topic;
        text += fmt::format("w{}{}", word, (i + 1) % kSentence == 0 ? '\n' : ' ');
    }
    return text;
}

} // namespace hogwild
