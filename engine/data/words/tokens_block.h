// One piece of a text, as ids of its own vocabulary, made by one thread.
//
// Words are separated by blanks: space, tab, carriage return, vertical tab, form feed. A newline ends a sentence. A word is
// taken byte by byte as it stands, so upper and lower case, and every mark of punctuation, make words of their own. Its bytes
// must be UTF-8. Any other control character is a fault: such a file is no text. A word of more than kLongestWord bytes (a
// link, a line of base64) counts as none.
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/data/words/vocabulary.h"
#include "engine/memory/pages.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace hogwild {

struct TokensBlock {
    static constexpr std::size_t kLongestWord = 255;
    static constexpr std::uint32_t kBreak = 1u << 31; // of an id: a sentence ends before the word

    PageArray<std::uint32_t> ids; // which go back to the system one block after the other
    bool breaks_behind = false;   // a sentence ends behind the last word
    Vocabulary words;
    std::uint64_t long_words = 0; // that were left out
    std::uint64_t lines = 0;      // that end in the block
    std::uint64_t open = 0;       // bytes of the line that goes on behind it
    std::optional<TextFault> fault;

    std::uint64_t bytes() const { return sizeof(std::uint32_t) * ids.size(); }
};

/// `text` ends with a blank or a newline. After a fault the block holds nothing of use. Reentrant.
TokensBlock parse_tokens_block(std::string_view text);

} // namespace hogwild
