// Text as a terminal may have it: what was read from somebody's file cannot move its cursor, change its colours or its title.
//
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace hogwild {

/// The text with each byte of a control character, but for line ends and tabs, written as "\x1b" is here.
std::string printable(std::string_view text);

} // namespace hogwild
