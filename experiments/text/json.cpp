#include "experiments/text/json.h"

#include "experiments/text/stored_text.h"

#include <functional>
#include <set>
#include <vector>

namespace hogwild {
namespace {

constexpr std::size_t kDeepest = 64; // brackets in brackets; copies and texts of a value call themselves for each

/// Whether more brackets than that are open at once. What is no JSON is the parser's to say.
bool is_too_deep(std::string_view text) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{') && ++depth > kDeepest)
            return true;
        else if (!quoted && (c == ']' || c == '}') && depth > 0)
            --depth;
    }
    return false;
}

/// What a parser calls at each key: whether one stands twice in its object.
class Keys {
public:
    bool operator()(int /*depth*/, Json::parse_event_t event, const Json& parsed) {
        if (event == Json::parse_event_t::object_start) open_.emplace_back();
        if (event == Json::parse_event_t::object_end) open_.pop_back();
        if (event == Json::parse_event_t::key && !open_.back().insert(parsed.get<std::string>()).second) twice_ = true;
        return true;
    }

    bool twice() const { return twice_; }

private:
    std::vector<std::set<std::string>> open_;
    bool twice_ = false;
};

[[noreturn]] void refuse(const char* why) {
    constexpr int kSyntax = 101; // the library's number of such errors
    throw Json::parse_error::create(kSyntax, std::size_t{0}, why, nullptr);
}

} // namespace

std::string json_text(const Json& value, int indent) {
    std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
    return text;
}

Json json_of(std::string_view text) {
    if (is_too_deep(text)) refuse("it is nested too deep");
    Keys keys;
    Json json = Json::parse(text, std::ref(keys));
    if (keys.twice()) refuse("a key stands twice");
    return json;
}

std::optional<Json> json_if(std::string_view text) {
    if (is_too_deep(text)) return {};
    Keys keys;
    Json json = Json::parse(text, std::ref(keys), false);
    if (json.is_discarded() || keys.twice()) return {};
    return json;
}

Json json_at(const std::filesystem::path& path) { return json_if(stored_text(path).value_or("")).value_or(Json()); }

} // namespace hogwild
