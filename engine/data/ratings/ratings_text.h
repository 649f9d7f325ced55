// A text of ratings as it comes, block by block. Its head is taken off before triples are parsed
// (engine/data/ratings/ratings_block.h): a banner and a size line, or a header.
//
// Not thread-safe. Errors: Error for a head that is none, and for the first fault of a line.
#pragma once

#include "engine/data/ratings/matrix_market.h"
#include "engine/data/ratings/ratings.h"
#include "engine/data/ratings/ratings_block.h"
#include "engine/data/ratings/ratings_header.h"
#include "engine/data/text/text_blocks.h"
#include "engine/data/text/text_words.h"
#include "engine/error.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hogwild {

/// Whether a text begins with a comment, or a line without anything.
inline bool is_left_out(std::string_view text) {
    const char* p = text.data();
    while (words::is_blank(*p)) ++p;
    return *p == '#' || *p == '%' || words::ends_line(p);
}

/// The text but for its head. `train`: of the training set, for a test; else null.
class RatingsText final : public TextParser {
public:
    RatingsText(const std::string& name, std::uint64_t max_array_bytes, const RatingsBase* train)
        : body_(name, max_array_bytes, [this](std::string_view text) { return parse_ratings_block(text, bounds_); }) {
        if (train == nullptr) return;
        bounds_.users.least = train->user;
        bounds_.items.least = train->item;
        bounds_.why_least = "the training set's start at 1";
    }

    const std::string& name() const override { return body_.name(); }
    std::uint64_t lines() const override { return body_.lines(); }

    void parse(const std::vector<std::string_view>& texts, const std::function<void()>& beside,
               const std::function<void(std::string_view)>& after) override {
        if (begun_ || texts.empty()) {
            look_in_comments(texts);
            check_fields(texts);
            return body_.parse(texts, beside, after);
        }
        begun_ = true;
        std::vector<std::string_view> rest = texts;
        std::size_t bytes = 0; // of the head, which may end in any of the texts
        if (is_matrix_market(texts[0])) {
            matrix_ = matrix_head(texts, name());
            bytes = matrix_->bytes;
            bound(*matrix_);
            fields_ = kFieldsOfEntry;
            body_.skip(matrix_->lines);
        } else if (is_ratings_header(texts[0])) {
            const RatingsHeader header = ratings_header(texts[0], name());
            bounds_.columns = header.columns;
            fields_ = header.fields;
            note_ = header.note;
            bytes = texts[0].find('\n') + 1;
            body_.skip(1);
        } else {
            in_comments_ = true;
            look_in_comments(texts);
        }
        while (bytes > 0) {
            const std::size_t part = std::min(bytes, rest[0].size());
            rest[0].remove_prefix(part);
            bytes -= part;
            if (rest[0].empty()) rest.erase(rest.begin());
        }
        check_fields(rest);
        body_.parse(rest, beside, after);
    }

    const std::optional<MatrixHead>& matrix() const { return matrix_; }
    const std::string& note() const { return note_; } // about a header that names nothing; else empty
    std::vector<RatingsBlock>& blocks() { return body_.blocks(); }

private:
    static constexpr std::uint32_t kFieldsOfEntry = 3;

    /// Before any of its entries is read.
    void bound(const MatrixHead& head) {
        if (bounds_.why_least.empty()) bounds_.users.least = bounds_.items.least = 1;
        bounds_.why_least = "ids of a matrix start at 1";
        const auto within = [](std::uint64_t size) {
            return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, IdBounds{}.most));
        };
        bounds_.users.most = within(head.rows);
        bounds_.items.most = within(head.columns);
        bounds_.why_most = fmt::format("the size line says {} rows and {} columns", head.rows, head.columns);
    }

    /// Before the first rating: takes the columns by a comment that is a header.
    void look_in_comments(const std::vector<std::string_view>& texts) {
        for (std::string_view text : texts) {
            for (; in_comments_ && !text.empty(); text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1)) {
                const bool comment = is_left_out(text), header = comment && is_ratings_header(text);
                in_comments_ = comment && !header;
                if (!header) continue;
                const RatingsHeader found = ratings_header(text, name());
                bounds_.columns = found.columns;
                fields_ = found.fields;
            }
        }
    }

    /// The first rating behind a head has no more fields than the head names.
    void check_fields(const std::vector<std::string_view>& texts) {
        std::uint64_t number = lines();
        for (std::string_view text : texts) {
            for (; fields_ > 0 && !text.empty(); text.remove_prefix(text.find('\n') + 1)) {
                ++number;
                if (is_left_out(text)) continue;
                const std::uint32_t found = fields_of(text, bounds_.columns), named = std::exchange(fields_, 0);
                if (found <= named) return;
                throw Error(fmt::format("{}:{}:1: the line has {} fields", name(), number, found),
                            matrix_ ? "entries of a matrix are 'row column value'"
                                    : fmt::format("its header names {}", named),
                            matrix_ ? "repair the line" : "name every column, or remove the header");
            }
        }
    }

    RatingsBounds bounds_;
    std::uint32_t fields_ = 0; // of a head whose first rating has not been seen
    std::string note_;
    TextBlocks<RatingsBlock> body_;
    std::optional<MatrixHead> matrix_;
    bool begun_ = false;
    bool in_comments_ = false; // no rating and no header has been seen
};

} // namespace hogwild
