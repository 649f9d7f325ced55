#include "engine/data/ratings/ratings_header.h"

#include "engine/data/ratings/column_names.h"
#include "engine/data/text/banner.h"
#include "engine/data/text/text_words.h"
#include "engine/error.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::array kNames{"user", "item", "rating"};

bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

bool begins_name(const char* p) { return is_letter(*p) || ((*p == '"' || *p == '\'') && !words::is_digit(p[1])); }

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

using Places = std::array<std::optional<std::uint32_t>, kRoles>; // of user, item and rating

/// The fields of a header, what their names say, and where each of the three stands.
struct Header {
    std::string file;
    std::vector<Field> fields;
    std::vector<Naming> names;
    Places places;

    [[noreturn]] void refuse_at(std::uint32_t at, const std::string& why) const { refuse(file, fields[at], why); }

    bool names_all() const {
        return std::ranges::all_of(places, [](const auto& place) { return place.has_value(); });
    }
    bool names_none() const {
        return std::ranges::none_of(places, [](const auto& place) { return place.has_value(); });
    }

    void put(std::size_t role, std::uint32_t at) {
        auto& place = places[role];
        if (place) refuse_at(at, fmt::format("columns {} and {} are both a {}", *place + 1, at + 1, kNames[role]));
        place = at;
    }
};

/// Those of the three that a name's words speak of and that no name is.
std::vector<std::size_t> open_roles(const Naming& naming, const Places& named) {
    std::vector<std::size_t> open;
    for (std::size_t role = 0; role < kRoles; ++role) {
        if (naming.may[role] && !named[role]) open.push_back(role);
    }
    return open;
}

/// Takes columns for what a word of their names says, where no name is that alone.
void put_by_words(Header& header) {
    const Places named = header.places;
    std::optional<std::uint32_t> unknown;
    for (std::uint32_t at = 0; at < header.fields.size(); ++at) {
        Naming& naming = header.names[at];
        if (naming.role != Role::kUnknown) continue;
        const std::vector<std::size_t> open = open_roles(naming, named);
        if (open.size() > 1)
            header.refuse_at(
                at, fmt::format("column {} may be the {} or the {}", at + 1, kNames[open[0]], kNames[open[1]]));
        if (open.size() == 1) {
            naming.role = static_cast<Role>(open[0]);
            header.put(open[0], at);
        } else if (std::ranges::find(naming.may, true) != naming.may.end()) {
            naming.role = Role::kOther; // more of what another column is
        } else if (!unknown) {
            unknown = at;
        }
    }
    if (unknown && header.names_all() && header.places != named)
        header.refuse_at(*unknown,
                         fmt::format("column {} may be one of those that are known by a word alone", *unknown + 1));
}

/// `line` outlives it.
Header header_of(std::string_view line, char separator, const std::string& file) {
    Header header{file, fields_at(line, separator), {}, {}};
    for (std::uint32_t at = 0; at < header.fields.size(); ++at) {
        header.names.emplace_back(header.fields[at].text);
        if (header.names[at].role < Role::kOther) header.put(static_cast<std::size_t>(header.names[at].role), at);
    }
    if (!header.names_all()) put_by_words(header);
    return header;
}

/// Refuses a header that names one or two of the three and contradicts taking columns by place.
void check_usual(const Header& header) {
    bool any = header.fields.size() > kRoles;
    for (std::uint32_t role = 0; role < kRoles; ++role) {
        const auto place = header.places[role];
        any |= place.has_value();
        if (!place || *place == role) continue;
        header.refuse_at(
            *place, fmt::format("the {} is column {}, and not all of the others are named", kNames[role], *place + 1));
    }
    for (std::uint32_t at = 0; at < header.fields.size(); ++at) {
        const Role role = header.names[at].role;
        const bool other = at < kRoles && role == Role::kOther, unknown = any && at >= kRoles && role == Role::kUnknown;
        if (!other && !unknown) continue;
        header.refuse_at(at, other ? fmt::format("column {} is not known to be the {}", at + 1, kNames[at])
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
    try {
        const Header header = header_of(line, separator_of(line), "");
        const bool known =
            std::ranges::none_of(header.names, [](const Naming& naming) { return naming.role == Role::kUnknown; });
        const Places usual{0U, 1U, 2U};
        return known && header.names_all() && header.places != usual;
    } catch (const Error&) {
        return false; // a sentence
    }
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
    const Header said = header_of(line, header.columns.separator, name);
    if (!said.names_all()) check_usual(said);
    if (said.names_none()) { // words that say nothing of columns
        header.columns = {};
        header.note =
            fmt::format("the header {} names no user, item or rating that is known: the first three columns are "
                        "taken, in this order",
                        words::quoted(line.data(), words::ends_line));
        return header;
    }
    header.fields = static_cast<std::uint32_t>(said.fields.size());
    header.columns.user = said.places[0].value_or(0);
    header.columns.item = said.places[1].value_or(1);
    header.columns.rating = said.places[2].value_or(2);
    return header;
}

std::uint32_t fields_of(std::string_view line, const RatingsColumns& columns) {
    return static_cast<std::uint32_t>(fields_at(line, columns.separator).size());
}

} // namespace hogwild
