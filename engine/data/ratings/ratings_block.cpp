#include "engine/data/ratings/ratings_block.h"

#include "engine/data/text/banner.h"
#include "engine/data/text/decimal.h"
#include "engine/data/text/line_parser.h"
#include "engine/data/text/text_words.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hogwild {
namespace {

using decimal::Reading;
using words::is_blank;
using words::is_digit;

constexpr std::uint64_t kLargestId = IdBounds{}.most;

bool is_separator(char c) { return is_blank(c) || c == ',' || c == ';' || c == ':'; }

bool ends_field(const char* p) { return is_separator(*p) || words::ends_line(p); }

std::string quoted(const char* p) { return words::quoted(p, ends_field); }

class BlockParser : public LineParser<BlockParser, RatingsBlock> {
public:
    BlockParser(std::string_view text, const RatingsBounds& bounds) : LineParser(text), bounds_(bounds) {
        block_.ratings = PageArray<Rating>(static_cast<std::uint64_t>(std::count(p_, end_, '\n')));
    }

private:
    friend LineParser;

    bool is_skipped() const { return (is_comment() && !is_banner()) || words::ends_line(p_); }

    bool is_comment() const { return *p_ == '#' || *p_ == '%'; }
    bool is_banner() const { return looks_like_banner({p_, static_cast<std::size_t>(end_ - p_)}); }

    bool parse_line() {
        Rating& rating = block_.ratings[block_.rows];
        if (is_comment()) [[unlikely]] {
            return fail(p_, "this looks like the banner of a Matrix Market file and is none",
                        "one begins the file with '%%MatrixMarket', and a size line follows it",
                        "repair it, or remove it and the size line");
        }
        if (bounds_.columns.usual() ? !parse_in_order(rating) : !parse_by_columns(rating)) return false;
        block_.users.add(rating.user);
        block_.items.add(rating.item);
        ++block_.rows;
        return true;
    }

    bool parse_in_order(Rating& rating) {
        if (!parse_id("user", bounds_.users, rating.user) || !end_id("user") ||
            !parse_id("item", bounds_.items, rating.item) || !end_id("item"))
            return false;
        const char* const number = p_;
        if (!parse_rating(rating.value)) return false;
        if (*p_ == ',' && !commas_) [[unlikely]]
            return fail(number, fmt::format("a comma behind rating {}", quoted(number)),
                        "the line's fields are not separated by commas", "write a decimal point, as in 3.5");
        return true;
    }

    bool parse_by_columns(Rating& rating) {
        const RatingsColumns& columns = bounds_.columns;
        const std::uint32_t last = std::max({columns.user, columns.item, columns.rating});
        for (std::uint32_t field = 0; field <= last; ++field) {
            if (field > 0 && !next_field())
                return fail(p_, fmt::format("the line has {} fields", field),
                            fmt::format("its header names {} or more", last + 1), "complete the line, or remove it");
            if (field == columns.user && !parse_id("user", bounds_.users, rating.user)) return false;
            if (field == columns.item && !parse_id("item", bounds_.items, rating.item)) return false;
            if (field == columns.rating && !parse_rating(rating.value)) return false;
        }
        return true;
    }

    /// Goes to the field behind this one; false at the line's end.
    bool next_field() {
        const char separator = bounds_.columns.separator;
        p_ = behind_field(p_, separator);
        if (words::ends_line(p_)) return false;
        p_ += separator == ':' ? 2 : 1;
        while (is_blank(*p_) && (separator == ' ' || *p_ != separator)) ++p_;
        return separator != ' ' || !words::ends_line(p_);
    }

    bool parse_rating(float& value) {
        const char* const number = p_;
        const Reading reading = decimal::read_float(p_, end_, value);
        return (reading == Reading::kOk && ends_field(p_)) || rating_fault(number, reading);
    }

    bool parse_id(const char* whose, const IdBounds& bounds, std::uint32_t& id) {
        const char* const field = p_;
        std::uint64_t number = 0;
        for (; is_digit(*p_); ++p_) number = std::min(number * 10 + static_cast<unsigned>(*p_ - '0'), kLargestId + 1);
        if (p_ == field || !ends_field(p_) || number > bounds.most || number < bounds.least) [[unlikely]]
            return id_fault(whose, field, number, bounds);
        id = static_cast<std::uint32_t>(number);
        return true;
    }

    /// The separator behind an id.
    bool end_id(const char* whose) {
        skip_separator();
        if (words::ends_line(p_)) [[unlikely]]
            return fail(p_, fmt::format("the line ends behind its {}", whose), "a line is 'user item rating'",
                        "complete the line, or remove it");
        return true;
    }

    void skip_separator() {
        skip_blanks();
        commas_ = *p_ == ',';
        if (*p_ == ',' || *p_ == ';') {
            ++p_;
        } else if (*p_ == ':' && p_[1] == ':') {
            p_ += 2;
        }
        skip_blanks();
    }

    /// Notes the fault of a field that is empty or in quotes; other fields have none.
    [[gnu::cold]] bool layout_fault(const char* whose, const char* field) {
        if (ends_field(field)) {
            return !fail(field, fmt::format("the {} is missing", whose),
                         "fields are separated by a blank, a tab, a comma, a semicolon or '::'", "repair the line");
        }
        if (*field != '"' && *field != '\'') return false;
        return !fail(field, fmt::format("{} {} is in quotes", whose, quoted(field)), "only a header may have them",
                     "remove the quotes");
    }

    [[gnu::cold]] bool id_fault(const char* whose, const char* field, std::uint64_t number, const IdBounds& bounds) {
        if (layout_fault(whose, field)) return false;
        const std::string what = fmt::format("{} {}", whose, quoted(field));
        if (number > kLargestId) {
            return fail(field, what + " is too large", fmt::format("the largest is {}", kLargestId),
                        "number users and items one after the other");
        }
        if (p_ > field && ends_field(p_)) {
            const bool low = number < bounds.least;
            return fail(field, what + " is none", low ? bounds_.why_least : bounds_.why_most,
                        low ? "renumber them" : "repair the size line, or the entry");
        }
        if (*field == '-') return fail(field, "negative " + what, "ids start at 0 or 1", "renumber them");
        if (words::is_binary(field, ends_field)) {
            return fail(field, what + " is no id", "it looks like no text, and not like gzip, bzip2, xz or zstd",
                        "copy the file again, or repair the line");
        }
        return fail(field, what + " is no id", "a line is 'user item rating', the first two whole numbers",
                    "repair the line, or put '#' before a comment");
    }

    [[gnu::cold]] bool rating_fault(const char* number, Reading reading) {
        if (layout_fault("rating", number)) return false;
        const std::string what = "rating " + quoted(number);
        if (words::names_non_finite(number))
            return fail(number, what, "a rating is a finite number", "remove or repair the line");
        if (const auto why = decimal::why_out_of_range(reading); !why.empty())
            return fail(number, what, std::string(why), "rescale the ratings");
        return fail(number, what + " is no number", "a rating is a decimal number such as 3.5", "repair the line");
    }

    const RatingsBounds& bounds_;
    bool commas_ = false; // between the line's fields
};

} // namespace

const char* behind_field(const char* p, char separator) {
    bool quoted = false;
    for (; *p != '\n'; ++p) {
        if (*p == '"') quoted = !quoted;
        if (words::ends_line(p)) return p;
        if (quoted) continue;
        if (separator == ' ' ? words::is_blank(*p) : separator == ':' ? *p == ':' && p[1] == ':' : *p == separator)
            return p;
    }
    return p;
}

RatingsBlock parse_ratings_block(std::string_view text, const RatingsBounds& bounds) {
    return BlockParser(text, bounds).parse();
}

} // namespace hogwild
