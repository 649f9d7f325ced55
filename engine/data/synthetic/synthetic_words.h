// A generated text with a planted structure: words of one topic stand together.
//
// Sentences have 20 words and one of `topics` topics. With probability 1/3 a word of a sentence is any word of the
// vocabulary. Otherwise it is one of the topic's: the words t, t + topics, t + 2 topics and so on. Both are drawn by
// Zipf's law with exponent 1. Word r is written `w` and its number r. The same text on every machine.
// Thread-safety: pure functions. Errors: Error (Failure::kUsage) that names the known keys.
#pragma once

#include <cstdint>
#include <string>

namespace hogwild {

struct WordsRecipe {
    std::uint64_t tokens = 100000;
    std::uint32_t words = 1000;
    std::uint32_t topics = 20;
    std::uint64_t seed = 1;
};

/// True for names that parse_words is responsible for: "synthetic:tiny", "synthetic:words" and what goes on with a comma.
bool is_synthetic_words(const std::string& name);

/// Reads "synthetic:words,tokens=100000,words=1000,topics=20,seed=1"; a `seed=` in the name wins over the argument.
WordsRecipe parse_words(const std::string& name, std::uint64_t seed);

/// A sentence a line.
std::string generate_text(const WordsRecipe& recipe);

} // namespace hogwild
