// One piece of a text of ratings, parsed by one thread into its own array.
//
// A line is `user item rating`, and whatever follows is ignored (a time, mostly). Fields are separated by blanks and tabs, by a
// comma, a semicolon or `::`, with or without blanks around. User and item are whole numbers from 0; lines that begin with `#`
// or `%`, and lines without anything, are skipped. A line ends with LF or CR LF. Columns that a header names
// (engine/data/ratings/ratings_header.h) are taken instead, and those between them are ignored. Its separator parts fields, but not
// within double quotes. What looks like the banner of a Matrix Market file is a fault, since a size line follows it.
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/memory/pages.h"
#include "kernels/views/ratings_view.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace hogwild {

/// The smallest and the largest id of a column.
struct IdRange {
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t most = 0;

    void add(std::uint32_t id) {
        least = id < least ? id : least;
        most = id > most ? id : most;
    }
    void add(const IdRange& other) {
        least = other.least < least ? other.least : least;
        most = other.most > most ? other.most : most;
    }
};

/// The ids that a column may have.
struct IdBounds {
    std::uint32_t least = 0;
    std::uint32_t most = std::numeric_limits<std::uint32_t>::max() - 1;
};

/// Which fields of a line are what, from 0.
struct RatingsColumns {
    std::uint32_t user = 0, item = 1, rating = 2;
    char separator = ' '; // of others than these; ' ' is any run of blanks, ':' is '::'

    bool usual() const { return user == 0 && item == 1 && rating == 2; }
};

/// What is known of a text before it is read.
struct RatingsBounds {
    IdBounds users, items;
    std::string why_least{}, why_most{}; // whence the bounds are
    RatingsColumns columns{};
};

struct RatingsBlock {
    PageArray<Rating> ratings; // ids as they stand in the text; the first `rows` entries count
    std::uint64_t rows = 0;
    std::uint64_t lines = 0;
    IdRange users, items;
    std::optional<TextFault> fault;

    std::uint64_t bytes() const { return sizeof(Rating) * rows; }
};

/// Where the field at p ends: at a separator (RatingsColumns) outside double quotes, or at the line's end.
const char* behind_field(const char* p, char separator);

/// `text` ends with a newline. An id out of its bounds is a fault. After one the array holds nothing of use. Reentrant.
RatingsBlock parse_ratings_block(std::string_view text, const RatingsBounds& bounds = {});

} // namespace hogwild
