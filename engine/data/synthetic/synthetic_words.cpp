#include "engine/data/synthetic/synthetic_words.h"

#include "engine/data/synthetic/zipf.h"
#include "engine/error.h"
#include "kernels/numbers/random.h"

#include <charconv>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::string_view kName = "synthetic:words", kTiny = "synthetic:tiny";
constexpr std::uint64_t kSentence = 20; // words

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
    throw Error(Failure::kUsage, what, why, "try synthetic:words,tokens=100000,words=1000,topics=20");
}

void set(WordsRecipe& recipe, std::string_view part) {
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals),
                           value = equals == std::string_view::npos ? "" : part.substr(equals + 1);
    std::uint64_t number = 0;
    const auto [rest, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = failure == std::errc{} && rest == value.data() + value.size();
    if (whole && key == "tokens" && number >= 1 && number < std::uint64_t{1} << 32)
        recipe.tokens = number;
    else if (whole && key == "words" && number >= 1 && number <= 1'000'000)
        recipe.words = static_cast<std::uint32_t>(number);
    else if (whole && key == "topics" && number >= 1 && number <= 1'000'000)
        recipe.topics = static_cast<std::uint32_t>(number);
    else if (whole && key == "seed")
        recipe.seed = number;
    else
        refuse(fmt::format("'{}' is no part of a generated text", part),
               "known: tokens= (below 2^32), words= and topics= (1 to 1000000), seed=");
}

} // namespace

bool is_synthetic_words(const std::string& name) {
    return name == kName || name == kTiny || (name.starts_with(kName) && name[kName.size()] == ',');
}

WordsRecipe parse_words(const std::string& name, std::uint64_t seed) {
    WordsRecipe recipe;
    if (name == kTiny) recipe = {2'000, 50, 5, seed};
    recipe.seed = seed;
    std::string_view rest = name == kTiny ? "" : std::string_view(name).substr(kName.size());
    while (!rest.empty()) {
        rest.remove_prefix(1); // its comma
        const std::size_t comma = rest.find(',');
        set(recipe, rest.substr(0, comma));
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma);
    }
    if (recipe.topics > recipe.words)
        refuse(fmt::format("{} topics of {} words", recipe.topics, recipe.words), "each topic has a word at least");
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
