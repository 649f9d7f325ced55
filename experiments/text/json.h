// JSON as this program writes it. Keys are in the order they were added; invalid UTF-8 (file names may hold any byte)
// is replaced. The text holds no "</", so that a file may stand inside an HTML page whatever a dataset is called.
//
// Thread-safety: pure functions. Errors: json_of throws Json::exception for a text that is no JSON, or holds a key twice.
#pragma once

#include "experiments/text/json_fwd.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hogwild {

/// On one line, or indented.
std::string json_text(const Json& value, int indent = -1);

Json json_of(std::string_view text);

/// Nothing if the text is no JSON.
std::optional<Json> json_if(std::string_view text);

/// The JSON of a file; null where that is missing or no JSON.
Json json_at(const std::filesystem::path& path);

/// Nothing is null.
template <class T>
Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

} // namespace hogwild
