// How deep the tables of a TOML text would nest, seen before anything is made of it. Parsing, copying and freeing nested tables
// call themselves for each level.
//
// Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hogwild {

inline constexpr std::size_t kDeepestToml = 32; // brackets open at once, and parts of a dotted key

/// The line, the first being 1, at which brackets or dotted keys go deeper than that. What is no TOML is the parser's to say.
std::optional<std::uint64_t> too_deep_line(std::string_view text);

} // namespace hogwild
