// Look-ups in tables whose rows have names: `rows` is an array of structures with a `name`.
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>

namespace hogwild {

/// The row of that name; the first where there is none.
template <class Row, std::size_t size>
constexpr const Row& choice_named(const Row (&rows)[size], std::string_view name) {
    const Row* const row = std::ranges::find(rows, name, &Row::name);
    return row == rows + size ? rows[0] : *row;
}

/// The names of a table's rows, in their order.
template <const auto& rows>
std::span<const std::string_view> names_of() {
    static constexpr auto kNames = [] {
        std::array<std::string_view, std::size(rows)> names{};
        std::ranges::transform(rows, names.begin(), [](const auto& row) { return row.name; });
        return names;
    }();
    return kNames;
}

} // namespace hogwild
