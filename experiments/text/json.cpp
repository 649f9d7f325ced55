#include "experiments/text/json.h"

#include "experiments/text/stored_text.h"

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

} // namespace

std::string json_text(const Json& value, int indent) {
    std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
    return text;
}

Json json_of(std::string_view text) {
    constexpr int kSyntax = 101; // the library's number of such errors
    if (is_too_deep(text)) throw Json::parse_error::create(kSyntax, std::size_t{0}, "it is nested too deep", nullptr);
    return Json::parse(text);
}

std::optional<Json> json_if(std::string_view text) {
    if (is_too_deep(text)) return {};
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return {};
    return json;
}

Json json_at(const std::filesystem::path& path) { return json_if(stored_text(path).value_or("")).value_or(Json()); }

} // namespace hogwild
