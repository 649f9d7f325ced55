#include "engine/data/ratings/ratings_header.h"

#include "engine/data/text/banner.h"
#include "engine/data/text/text_words.h"
#include "engine/error.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

enum class Role { kUser, kItem, kRating, kOther, kUnknown };

constexpr std::array kNames{"user", "item", "rating"};

constexpr std::array<std::string_view, 12> kUsers{"u",     "user",   "users",   "customer", "reviewer", "member",
                                                  "rater", "viewer", "visitor", "listener", "reader",   "usr"};
constexpr std::array<std::string_view, 26> kItems{
    "i",      "item",  "items",    "movie", "movies", "film",       "product", "song",  "track",
    "artist", "book",  "business", "anime", "joke",   "show",       "game",    "video", "recipe",
    "place",  "venue", "article",  "asin",  "isbn",   "restaurant", "beer",    "hotel"};
constexpr std::array<std::string_view, 14> kRatings{"r",     "rating",     "ratings",    "score",      "scores",
                                                    "star",  "stars",      "overall",    "value",      "preference",
                                                    "grade", "userrating", "starrating", "reviewscore"};
constexpr std::array<std::string_view, 9> kOthers{"",   "timestamp", "time",     "date",     "datetime",
                                                  "ts", "row",       "rownames", "rownumber"};

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

bool begins_name(const char* p) { return is_letter(*p) || ((*p == '"' || *p == '\'') && !words::is_digit(p[1])); }

/// Small letters and digits of a name, without what it says of numbering.
std::string plain(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (is_letter(c)) text += static_cast<char>(c | 0x20);
        if (words::is_digit(c)) text += c;
    }
    for (const std::string_view ending : {"ids", "id", "idx", "index"}) {
        if (!text.ends_with(ending)) continue;
        text.resize(text.size() - ending.size());
        break;
    }
    return text;
}

Role role_of(std::string_view name) {
    const std::string text = plain(name);
    const auto among = [&](std::span<const std::string_view> names) {
        return std::ranges::find(names, text) != names.end();
    };
    if (among(kUsers)) return Role::kUser;
    if (among(kItems)) return Role::kItem;
    if (among(kRatings)) return Role::kRating;
    return among(kOthers) || text.starts_with("unnamed") ? Role::kOther : Role::kUnknown;
}

char separator_of(std::string_view line) {
    for (const char c : {',', ';'}) {
        if (line.find(c) != std::string_view::npos) return c;
    }
    if (line.find("::") != std::string_view::npos) return ':';
    return line.find('\t') != std::string_view::npos ? '\t' : ' ';
}

struct Field {
    std::string_view text;
    std::size_t column; // from 1
};

/// The fields of a line that ends with its newline.
std::vector<Field> fields_at(std::string_view line, char separator) {
    std::vector<Field> fields;
    const char* p = line.data();
    const auto skip = [&] {
        while (words::is_blank(*p) && *p != separator) ++p;
        while (separator == ' ' && words::is_blank(*p)) ++p;
    };
    for (skip();;) {
        const char* const end = behind_field(p, separator);
        fields.push_back({{p, static_cast<std::size_t>(end - p)}, static_cast<std::size_t>(p - line.data()) + 1});
        if (words::ends_line(end)) return fields;
        p = end + (separator == ':' ? 2 : 1);
        skip();
        if (separator == ' ' && words::ends_line(p)) return fields;
    }
}

[[noreturn]] void refuse(const std::string& name, const Field& field, const std::string& why) {
    throw Error(fmt::format("{}:1:{}: the header does not say which columns to take", name, field.column), why,
                "name the columns user, item and rating, or remove the header where they come first, in this order");
}

using Places = std::array<std::optional<std::uint32_t>, 3>; // of user, item and rating

/// Refuses a header that names one or two of the three and contradicts taking columns by place.
void check_usual(const std::string& name, const std::vector<Field>& fields, const Places& places) {
    bool any = fields.size() > places.size();
    for (std::uint32_t role = 0; role < 3; ++role) {
        any |= places[role].has_value();
        if (!places[role] || *places[role] == role) continue;
        refuse(
            name, fields[*places[role]],
            fmt::format("the {} is column {}, and not all of the others are named", kNames[role], *places[role] + 1));
    }
    for (std::uint32_t at = 0; at < fields.size(); ++at) {
        const Role role = role_of(fields[at].text);
        const bool other = at < 3 && role == Role::kOther, unknown = any && at >= 3 && role == Role::kUnknown;
        if (!other && !unknown) continue;
        refuse(name, fields[at],
               other ? fmt::format("column {} is not known to be the {}", at + 1, kNames[at])
                     : fmt::format("column {} may be one of those that are not named", at + 1));
    }
}

/// A comment's first character that is none of its marks.
const char* behind_marks(const char* p) {
    while (words::is_blank(*p) || *p == '#' || *p == '%') ++p;
    return p;
}

bool is_comment(const char* p) {
    while (words::is_blank(*p)) ++p;
    return *p == '#' || *p == '%';
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n') + 1); }

/// Whether a comment names the three columns, each once and in another order than the usual one, and no word that is unknown.
bool orders_columns(std::string_view text) {
    const char* const names = behind_marks(text.data());
    const std::string_view line = first_line(text.substr(static_cast<std::size_t>(names - text.data())));
    Places places;
    const std::vector<Field> fields = fields_at(line, separator_of(line));
    for (std::uint32_t at = 0; at < fields.size(); ++at) {
        const Role role = role_of(fields[at].text);
        if (role == Role::kUnknown) return false;
        if (role == Role::kOther) continue;
        auto& place = places[static_cast<std::size_t>(role)];
        if (place) return false;
        place = at;
    }
    for (std::uint32_t role = 0; role < places.size(); ++role) {
        if (!places[role]) return false;
    }
    return places[0] != 0U || places[1] != 1U || places[2] != 2U;
}

} // namespace

bool is_ratings_header(std::string_view text) {
    const char* p = text.data();
    if (text.empty()) return false;
    if (is_comment(p)) return orders_columns(text);
    while (words::is_blank(*p)) ++p;
    if (begins_name(p)) return true;
    const char* behind = p; // a first column without a name
    while (*behind == ',' || *behind == ';' || words::is_blank(*behind)) ++behind;
    return behind > p && begins_name(behind);
}

RatingsHeader ratings_header(std::string_view text, const std::string& name) {
    if (is_comment(text.data())) text.remove_prefix(static_cast<std::size_t>(behind_marks(text.data()) - text.data()));
    const std::string_view line = first_line(text);
    if (looks_like_banner(line)) {
        throw Error(name + ":1:1: this looks like the banner of a Matrix Market file and is none",
                    "one begins with '%%MatrixMarket'", "repair it, or remove it and the size line behind it");
    }
    RatingsHeader header;
    header.columns.separator = separator_of(line);
    const std::vector<Field> fields = fields_at(line, header.columns.separator);
    Places places;
    for (std::uint32_t at = 0; at < fields.size(); ++at) {
        const Role role = role_of(fields[at].text);
        if (role == Role::kOther || role == Role::kUnknown) continue;
        auto& place = places[static_cast<std::size_t>(role)];
        if (place)
            refuse(name, fields[at],
                   fmt::format("columns {} and {} are both a {}", *place + 1, at + 1,
                               kNames[static_cast<std::size_t>(role)]));
        place = at;
    }
    const auto named = std::ranges::count_if(places, [](const auto& place) { return place.has_value(); });
    if (named < 3) check_usual(name, fields, places);
    if (named == 0) { // words that say nothing of columns
        header.columns = {};
        header.note =
            fmt::format("the header {} names no user, item or rating that is known: the first three columns are "
                        "taken, in this order",
                        words::quoted(line.data(), words::ends_line));
        return header;
    }
    header.fields = static_cast<std::uint32_t>(fields.size());
    header.columns.user = places[0].value_or(0);
    header.columns.item = places[1].value_or(1);
    header.columns.rating = places[2].value_or(2);
    return header;
}

std::uint32_t fields_of(std::string_view line, const RatingsColumns& columns) {
    return static_cast<std::uint32_t>(fields_at(line, columns.separator).size());
}

} // namespace hogwild
