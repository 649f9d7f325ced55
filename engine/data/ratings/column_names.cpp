#include "engine/data/ratings/column_names.h"

#include "engine/data/text/text_words.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace hogwild {
namespace {

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

bool among(std::span<const std::string_view> names, const std::string& text) {
    return std::ranges::find(names, text) != names.end();
}

/// The role of a whole name, or of one of its words, in small letters.
Role role_in(const std::string& text) {
    if (among(kUsers, text)) return Role::kUser;
    if (among(kItems, text)) return Role::kItem;
    if (among(kRatings, text)) return Role::kRating;
    return among(kOthers, text) ? Role::kOther : Role::kUnknown;
}

/// A name without the type that tables of recommender systems write behind it: "item" of "item:token".
std::string_view untyped(std::string_view name) {
    const std::size_t colon = name.rfind(':');
    const auto type = name.substr(std::min(colon, name.size() - 1) + 1);
    const bool is_type = colon != std::string_view::npos && !type.empty() && std::ranges::all_of(type, [](char c) {
                             return is_letter(c) || c == '_' || c == '"' || c == '\'';
                         });
    return is_type ? name.substr(0, colon) : name;
}

/// The words of a name, in small letters: "movie", "title" of "Movie title" and of "movieTitle".
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> found(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
        const bool begins = i > 0 && is_small(name[i - 1]) && is_letter(name[i]) && !is_small(name[i]);
        if (begins || !is_letter(name[i])) found.emplace_back();
        if (is_letter(name[i])) found.back() += static_cast<char>(name[i] | 0x20);
    }
    return found;
}

} // namespace

Naming::Naming(std::string_view name) {
    name = untyped(name);
    const std::string text = plain(name);
    role = text.starts_with("unnamed") ? Role::kOther : role_in(text);
    if (role != Role::kUnknown) return;
    for (const std::string& word : words_of(name)) {
        const Role of_word = word.size() > 2 ? role_in(plain(word)) : Role::kUnknown; // not "i", "r", "u"
        if (of_word == Role::kOther && !plain(word).empty()) role = Role::kOther;
        if (of_word < Role::kOther) may[static_cast<std::size_t>(of_word)] = true;
    }
    if (role == Role::kOther) may = {};
}

} // namespace hogwild
