#include "engine/data/words/tokens_block.h"

#include "engine/data/text/text_words.h"
#include "engine/data/text/utf8.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

enum class Kind : unsigned char { kLetter, kBlank, kNewline, kControl };

constexpr std::array<Kind, 256> kinds() {
    std::array<Kind, 256> kinds{};
    for (unsigned c = 0; c < 0x20; ++c) kinds[c] = Kind::kControl;
    kinds[0x7F] = Kind::kControl;
    for (const unsigned char c : {' ', '\t', '\r', '\v', '\f'}) kinds[c] = Kind::kBlank;
    kinds[static_cast<unsigned char>('\n')] = Kind::kNewline;
    return kinds;
}

constexpr std::array<Kind, 256> kKinds = kinds();

Kind kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }

/// The place of the first byte that belongs to no character; word.size() where there is none.
std::size_t first_no_character(std::string_view word) {
    std::size_t i = 0;
    while (i < word.size()) {
        const std::size_t bytes = utf8::character(word.substr(i));
        if (bytes == 0) return i;
        i += bytes;
    }
    return i;
}

class BlockParser {
public:
    explicit BlockParser(std::string_view text) : p_(text.data()), end_(p_ + text.size()), line_(p_) {
        ids_.reserve(text.size() / 6);
    }

    TokensBlock parse() && {
        while (p_ < end_ && !block_.fault) {
            switch (kind_of(*p_)) {
            case Kind::kLetter: add_word(); break;
            case Kind::kBlank: ++p_; break;
            case Kind::kNewline:
                block_.breaks_behind = true;
                ++block_.lines;
                line_ = ++p_;
                break;
            case Kind::kControl:
                fail(
                    p_, fmt::format("control character \\x{:02x}", static_cast<unsigned char>(*p_)),
                    "a text has words, blanks and newlines; this looks like none, and not like gzip, bzip2, xz or zstd",
                    "name a text, or remove the character");
            }
        }
        block_.open = static_cast<std::uint64_t>(end_ - line_);
        block_.ids = PageArray<std::uint32_t>(ids_.size());
        std::ranges::copy(ids_, block_.ids.data());
        return std::move(block_);
    }

private:
    void add_word() {
        const char* const begin = p_;
        bool plain = true;
        for (; kind_of(*p_) == Kind::kLetter; ++p_) plain &= static_cast<unsigned char>(*p_) < 0x80;
        const std::string_view word(begin, static_cast<std::size_t>(p_ - begin));
        if (!plain) {
            const std::size_t at = first_no_character(word);
            if (at < word.size()) {
                fail(begin + at,
                     fmt::format("byte \\x{:02x} in {}", static_cast<unsigned char>(word[at]),
                                 words::quoted(begin, [](const char* p) { return kind_of(*p) != Kind::kLetter; })),
                     "it is no UTF-8", "convert the text, such as with iconv -f latin1 -t utf-8");
                return;
            }
        }
        if (word.size() > TokensBlock::kLongestWord) {
            ++block_.long_words;
            return;
        }
        ids_.push_back(block_.words.add(word) | (block_.breaks_behind ? TokensBlock::kBreak : 0));
        block_.breaks_behind = false;
    }

    void fail(const char* where, std::string what, std::string why, std::string suggestion) {
        block_.fault = TextFault{block_.lines + 1, static_cast<std::uint64_t>(where - line_) + 1, std::move(what),
                                 std::move(why), std::move(suggestion)};
    }

    TokensBlock block_;
    std::vector<std::uint32_t> ids_;
    const char* p_;
    const char* end_;
    const char* line_; // the first byte of the line
};

} // namespace

TokensBlock parse_tokens_block(std::string_view text) { return BlockParser(text).parse(); }

} // namespace hogwild
