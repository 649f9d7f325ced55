#include "experiments/sweep/spec/toml_numbers.h"

#include "engine/error.h"
#include "experiments/options/number_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hogwild {
namespace {

/// What stands at a place, up to what ends a number. Columns count characters, not bytes.
std::string_view number_at(std::string_view text, const toml::source_position& place) {
    for (std::uint32_t line = 1; line < place.line; ++line)
        text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
    std::uint32_t column = 0;
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    std::size_t at = 0;
    while (at < text.size() && (column += begins(text[at]) ? 1 : 0) < place.column) ++at;
    text.remove_prefix(at);
    return text.substr(0, text.find_first_not_of("0123456789+-_.eE"));
}

bool is_lost(const toml::node& node, std::string_view written) {
    const std::string_view digits = written.substr(0, written.find_first_of("eE"));
    return node.is_floating_point() && node.value<double>() == 0.0 &&
           digits.find_first_of("123456789") != std::string_view::npos;
}

} // namespace

void check_numbers(const toml::node& node, std::string_view text, std::string_view file) {
    if (const auto* array = node.as_array()) {
        for (const toml::node& each : *array) check_numbers(each, text, file);
    }
    if (const auto* table = node.as_table()) {
        for (const auto& [key, value] : *table) check_numbers(value, text, file);
    }
    if (!node.is_floating_point()) return;
    const toml::source_position place = node.source().begin;
    const std::string number(number_at(text, place));
    if (!is_lost(node, number)) return;
    const std::string where =
        file.empty() ? "--set" : fmt::format("{}:{}:{}", file, std::uint64_t{place.line}, std::uint64_t{place.column});
    throw Error(Failure::kUsage, fmt::format("{}: '{}' is no number that can be used", where, number),
                why_no_number(number, "it becomes 0"), "write 0, or a larger one");
}

} // namespace hogwild
