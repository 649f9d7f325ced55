#include "experiments/files/checked_line.h"

#include "engine/machine/content_hash.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::size_t kHash = 16; // hexadecimal digits

} // namespace

std::string checked_line(const Json& record) {
    const std::string text = json_text(record);
    return fmt::format("{:0{}x} {}\n", content_hash(text), kHash, text);
}

std::optional<Json> checked_record(std::string_view line) {
    if (!line.ends_with('\n') || line.size() < kHash + 2) return {};
    const std::string_view text = line.substr(kHash + 1, line.size() - kHash - 2);
    if (fmt::format("{:0{}x} ", content_hash(text), kHash) != line.substr(0, kHash + 1)) return {};
    return json_if(text).value_or(Json());
}

} // namespace hogwild
