// The header of a text of ratings: a first line of names, which says which column is the user, the item and the rating.
//
// A name is known in letters of either case, with or without quotes, blanks, `_`, `-` and an `id` behind it: user_id, "Movie ID",
// score. A type behind it, "item:token", counts for nothing. Fields are separated by the first of `,`, `;`, `::` and tab that stands in the line, else by blanks.
//   - All three are named: columns are taken by their names, wherever they stand.
//   - A column whose name is none of the three, and has a word of one that no other column is, counts as named: item_code, "rating
//     given". Words of two, or a name that is unknown beside such a one, leave open which column is meant.
//   - Some are named, at their places in 'user item rating', and no name contradicts the others': columns are taken by place.
//   - No name is known, and there are three at most: columns are taken by place, and a note says so.
// Any other header is refused, and so is a name that stands twice.
//
// A comment before the first rating is a header where it names all three in another order, and nothing that is unknown.
//
// Thread-safe: pure functions. Errors: Error `name:line:column: what (why); try`.
#pragma once

#include "engine/data/ratings/ratings_block.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hogwild {

struct RatingsHeader {
    RatingsColumns columns;
    std::uint32_t fields = 0; // how many it has; 0: it names nothing that is known
    std::string note{};       // what is to be said of one that names nothing; else empty
};

/// Whether the first line of a text is a header. It begins with a letter, or a quote and no number, or a separator
/// before these. Or it is such a comment.
bool is_ratings_header(std::string_view text);

/// `text` begins with the header and holds its newline; `name` is for messages.
RatingsHeader ratings_header(std::string_view text, const std::string& name);

/// How many fields a line has by these columns' separator.
std::uint32_t fields_of(std::string_view line, const RatingsColumns& columns);

} // namespace hogwild
