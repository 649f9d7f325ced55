// Reads a text as the ids of its words, plain or compressed, in parallel, with the same result at any number of threads.
//
// What is a word, and what ends a sentence, says engine/data/words/tokens_block.h. Words that occur fewer than `min_count` times are
// taken out of the text, as if they were not there. The others are numbered by falling count, among equals by their bytes.
// Sentences may be of any length, and the text one line. The text is never held: a word of it is 4 bytes from its block on,
// and blocks are freed as their ids are renumbered.
//
// Errors: throws Error `name:line:column: what (why); try` for the first fault of the text, and for one that has no words, or
// none often enough. Reentrant.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/text/text_source.h"
#include "engine/data/words/vocabulary.h"
#include "engine/memory/pages.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// Owns what a TokensView borrows. Written by one producer, then shared as const.
struct TokensArray final : DatasetStorage {
    PageArray<std::uint32_t> tokens;
    std::vector<float> rarity;
    std::vector<AliasSlot> noise;
    std::vector<WordPair> pairs[TokensView::kSets];
    std::vector<Analogy> analogies;
    std::uint32_t pairs_asked[TokensView::kSets] = {};
    std::uint32_t analogies_asked = 0;

    TokensView view() const;
};

struct TokensData {
    std::shared_ptr<TokensArray> array; // without questions
    std::shared_ptr<const Vocabulary> words;
    std::uint64_t text_bytes = 0;
    std::uint64_t rare = 0;       // words of the text that were taken out
    std::uint64_t long_words = 0; // words of the text that were taken out for their length
};

/// `stored` is the file's content; `name` is for messages.
TokensData read_tokens(std::string_view stored, const std::string& name, const TextLimits& limits = {},
                       std::uint64_t min_count = 5);

/// The tables of words that occur so often (falling, none 0), for an array whose tokens stand.
void set_word_tables(TokensArray& array, const std::vector<std::uint64_t>& counts);

} // namespace hogwild
