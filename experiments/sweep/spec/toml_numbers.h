// Numbers of a TOML text that are not 0 and became 0, since no number is as small.
//
// Thread-safety: pure functions. Errors: Error (Failure::kUsage).
#pragma once

#include <toml++/toml.h>

#include <string_view>

namespace hogwild {

/// Throws where the node, parsed from `text`, is such a number or holds one. `file` has the text; empty: it is a value of --set.
void check_numbers(const toml::node& node, std::string_view text, std::string_view file);

} // namespace hogwild
