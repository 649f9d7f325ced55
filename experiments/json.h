// JSON as this program writes it: keys in the order they were added, invalid UTF-8 (file names may hold any byte)
// replaced, and no "</" in the text, so that a file may stand inside an HTML page whatever a dataset is called.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace hogwild {

using Json = nlohmann::ordered_json;

/// On one line, or indented.
inline std::string json_text(const Json& value, int indent = -1) {
    std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
    return text;
}

/// Nothing is null.
template <class T>
Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

} // namespace hogwild
