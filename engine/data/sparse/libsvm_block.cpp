#include "engine/data/sparse/libsvm_block.h"

#include "engine/data/text/decimal.h"
#include "engine/data/text/text_words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

using decimal::Reading;
using words::is_blank;
using words::is_digit;
using words::names_non_finite;

constexpr std::uint64_t kLargestIndex = std::numeric_limits<std::uint32_t>::max();

struct Capacity {
    std::uint64_t lines = 0;
    std::uint64_t colons = 0;
};

// Upper bounds of rows and nonzeros. Counted in bytes that cannot overflow, so that the loop is compiled to vector
// code.
Capacity count_marks(std::string_view text) {
    Capacity capacity;
    constexpr std::size_t kRun = 255 * 16;
    for (std::size_t begin = 0; begin < text.size(); begin += kRun) {
        const std::string_view run = text.substr(begin, kRun);
        std::uint8_t lines[16] = {};
        std::uint8_t colons[16] = {};
        std::size_t i = 0;
        for (; i + 16 <= run.size(); i += 16) {
            for (std::size_t lane = 0; lane < 16; ++lane) {
                lines[lane] = static_cast<std::uint8_t>(lines[lane] + (run[i + lane] == '\n' ? 1 : 0));
                colons[lane] = static_cast<std::uint8_t>(colons[lane] + (run[i + lane] == ':' ? 1 : 0));
            }
        }
        for (std::size_t lane = 0; lane < 16; ++lane) {
            capacity.lines += lines[lane];
            capacity.colons += colons[lane];
        }
        for (; i < run.size(); ++i) {
            capacity.lines += run[i] == '\n' ? 1 : 0;
            capacity.colons += run[i] == ':' ? 1 : 0;
        }
    }
    return capacity;
}

bool ends_token(const char* p) { return is_blank(*p) || *p == '#' || words::ends_line(p); }

std::string quoted(const char* p) { return words::quoted(p, ends_token); }

/// Whether a line, which begins at p, holds anything like index:value.
bool holds_pair(const char* p) {
    const auto parts = [](char c) { return c == ':' || words::is_blank_or_cr(c) || c == '\n'; };
    for (bool after = false; !words::ends_line(p); after = !parts(*p), ++p) {
        if (*p == ':' && after && !parts(p[1])) return true;
    }
    return false;
}

class BlockParser {
public:
    explicit BlockParser(std::string_view text) : p_(text.data()), end_(text.data() + text.size()) {
        const Capacity capacity = count_marks(text);
        block_.lengths = PageArray<std::uint32_t>(capacity.lines);
        block_.labels = PageArray<float>(capacity.lines);
        block_.indices = PageArray<std::uint32_t>(capacity.colons);
        block_.values = PageArray<float>(capacity.colons);
    }

    LibsvmBlock parse() && {
        while (p_ < end_) {
            line_ = p_;
            ++block_.lines;
            skip_blanks();
            if (!at_line_end() && !parse_sample()) break;
            if (!block_.fault)
                p_ = static_cast<const char*>(std::memchr(p_, '\n', static_cast<std::size_t>(end_ - p_))) + 1;
        }
        return std::move(block_);
    }

private:
    void skip_blanks() {
        while (is_blank(*p_)) ++p_;
    }

    bool at_line_end() const { return *p_ == '#' || words::ends_line(p_); }

    bool parse_sample() {
        const char* const word = p_;
        float label = 0;
        const Reading reading = decimal::read_float(p_, end_, label);
        if (reading != Reading::kOk || !ends_token(p_)) [[unlikely]]
            return label_fault(word, reading);
        std::uint32_t* const first = block_.indices.data() + block_.nonzeros;
        std::uint32_t* index = first;
        float* value = block_.values.data() + block_.nonzeros;
        std::uint64_t previous = 0; // 1-based
        for (;;) {
            skip_blanks();
            const char* const token = p_;
            std::uint64_t current = 0;
            const std::uint64_t chunk = decimal::load_word(p_, end_);
            const unsigned digits = decimal::digit_count(chunk);
            if (digits == 0) {
                if (at_line_end()) break;
                return index_fault(token);
            }
            current = decimal::digits_value(chunk, digits);
            p_ += digits;
            if (digits == 8) {
                for (; is_digit(*p_); ++p_)
                    current = std::min(current * 10 + static_cast<unsigned>(*p_ - '0'), kLargestIndex + 1);
            }
            if (*p_ != ':' || current <= previous || current > kLargestIndex) [[unlikely]] {
                return pair_fault(token, current, previous);
            }
            const char* const number = ++p_;
            const Reading value_reading = decimal::read_float(p_, end_, *value);
            if (value_reading != Reading::kOk || !ends_token(p_)) [[unlikely]]
                return value_fault(number, value_reading);
            *index = static_cast<std::uint32_t>(current - 1);
            previous = current;
            ++index;
            ++value;
        }
        const auto length = static_cast<std::uint64_t>(index - first);
        block_.lengths[block_.rows] = static_cast<std::uint32_t>(length);
        block_.labels[block_.rows] = label;
        ++block_.rows;
        block_.nonzeros += length;
        block_.columns = std::max(block_.columns, static_cast<std::uint32_t>(previous));
        return true;
    }

    bool fail(const char* where, std::string what, std::string why, std::string suggestion) {
        block_.fault = TextFault{block_.lines, static_cast<std::uint64_t>(where - line_) + 1, std::move(what),
                                 std::move(why), std::move(suggestion)};
        return false;
    }

    /// A line without any index:value may be that of a file of another kind.
    bool fail_form(const char* where, std::string what, std::string why, std::string suggestion) {
        if (!holds_pair(line_))
            suggestion += ", or say what lines hold: --problem factorization (ratings), cut (edges), skipgram (words)";
        return fail(where, std::move(what), std::move(why), std::move(suggestion));
    }

    [[gnu::cold]] bool label_fault(const char* word, Reading reading) {
        if (names_non_finite(word)) {
            return fail(word, "label " + quoted(word), "a label is a finite number", "remove or repair the sample");
        }
        if (const auto why = decimal::why_out_of_range(reading); !why.empty()) {
            return fail(word, "label " + quoted(word), std::string(why), "rescale the labels");
        }
        if (reading == Reading::kOk && *p_ == ':') {
            return fail_form(word, "no label before " + quoted(word), "a line is 'label index:value ...'",
                             "put a label first, any number if there is none");
        }
        if (reading == Reading::kOk && *p_ == ',') {
            return fail_form(word, "labels " + quoted(word), "a sample has one label", "choose one label per sample");
        }
        if (words::is_binary(word, ends_token)) {
            return fail(word, quoted(word) + " is no label",
                        "it looks like no text, and not like gzip, bzip2, xz or zstd",
                        "copy the file again, or repair the line");
        }
        return fail_form(word, quoted(word) + " is no label", "a line is 'label index:value ...' with numbers only",
                         "repair the line, or put '#' before a comment");
    }

    [[gnu::cold]] bool index_fault(const char* token) {
        if (*token == '-') {
            return fail(token, "negative index " + quoted(token), "indices start at 1", "renumber the features from 1");
        }
        if (std::string_view(token, static_cast<std::size_t>(end_ - token)).starts_with("qid:")) {
            return fail(token, "query id " + quoted(token), "ranking data has no meaning for these problems",
                        "remove the qid: entries");
        }
        return fail_form(token, quoted(token) + " is no index:value", "the index is a whole number from 1",
                         "repair the line, or put '#' before a comment");
    }

    [[gnu::cold]] bool pair_fault(const char* token, std::uint64_t current, std::uint64_t previous) {
        if (*p_ != ':') {
            return fail_form(token, quoted(token) + " is no index:value", "a ':' must follow the index",
                             "write index:value");
        }
        if (current > kLargestIndex) {
            return fail(token, "index " + quoted(token) + " is too large",
                        fmt::format("the largest is {}", kLargestIndex), "renumber or hash the features");
        }
        if (current == 0) {
            return fail(token, "index 0", "indices start at 1", "add 1 to every index of the file");
        }
        if (current == previous) {
            return fail(token, fmt::format("index {} twice", current), "an index occurs at most once in a line",
                        "merge the two entries");
        }
        return fail(token, fmt::format("index {} after {}", current, previous), "indices rise along a line",
                    "sort the entries of each line by index");
    }

    [[gnu::cold]] bool value_fault(const char* number, Reading reading) {
        if (names_non_finite(number)) {
            return fail(number, "value " + quoted(number), "values are finite numbers", "remove or repair the entry");
        }
        if (const auto why = decimal::why_out_of_range(reading); !why.empty()) {
            return fail(number, "value " + quoted(number), std::string(why), "rescale the feature");
        }
        if (ends_token(number)) {
            return fail(number, "no value after ':'", "an entry is index:value without blanks",
                        "write the value, or drop the entry");
        }
        return fail(number, quoted(number) + " is no number", "a value is a decimal number such as 0.25 or 1e-3",
                    "repair the entry");
    }

    LibsvmBlock block_;
    const char* p_;
    const char* end_;
    const char* line_ = nullptr;
};

} // namespace

LibsvmBlock parse_libsvm_block(std::string_view text) { return BlockParser(text).parse(); }

} // namespace hogwild
