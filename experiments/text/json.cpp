#include "experiments/text/json.h"

#include "experiments/text/stored_text.h"

namespace hogwild {

std::string json_text(const Json& value, int indent) {
    std::string text = value.dump(indent, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.replace(at, 2, "<\\/");
    return text;
}

Json json_of(std::string_view text) { return Json::parse(text); }

std::optional<Json> json_if(std::string_view text) {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return {};
    return json;
}

Json json_at(const std::filesystem::path& path) { return json_if(stored_text(path).value_or("")).value_or(Json()); }

} // namespace hogwild
