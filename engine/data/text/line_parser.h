// The half of a block's parser that knows no format: lines one after the other, places in them, the first fault.
//
// Self has is_skipped(), whether the line at p_, behind its blanks, is none of the format's, and parse_line(). Where that is false
// the block has a fault. A Block has `lines` and an optional TextFault `fault`. The text ends with a newline. One caller at a time.
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/data/text/text_words.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace hogwild {

template <class Self, class Block>
class LineParser {
public:
    explicit LineParser(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {}

    Block parse() && {
        while (p_ < end_ && !block_.fault) {
            line_ = p_;
            ++block_.lines;
            skip_blanks();
            Self& self = static_cast<Self&>(*this);
            if (!self.is_skipped() && !self.parse_line()) break;
            p_ = static_cast<const char*>(std::memchr(p_, '\n', static_cast<std::size_t>(end_ - p_))) + 1;
        }
        return std::move(block_);
    }

protected:
    void skip_blanks() {
        while (words::is_blank(*p_)) ++p_;
    }

    std::uint64_t column(const char* p) const { return static_cast<std::uint64_t>(p - line_) + 1; }

    /// Notes the first fault; returns false, for whom a line is parsed or not.
    bool fail(const char* where, std::string what, std::string why, std::string suggestion) {
        block_.fault = TextFault{block_.lines, column(where), std::move(what), std::move(why), std::move(suggestion)};
        return false;
    }

    Block block_;
    const char* p_;
    const char* end_;

private:
    const char* line_ = nullptr;
};

} // namespace hogwild
