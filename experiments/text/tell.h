// Lines for people, on standard error. What cannot be written there is not said, and nothing ends for it: a terminal that is gone, a
// full disk behind a redirection.
//
// Thread-safe: a call is one write.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace hogwild {

/// Writes the text as it is.
void tell_text(std::string_view text);

/// tell("{} runs\n", n), as fmt::format has it.
template <class... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
    tell_text(fmt::format(format, std::forward<Values>(values)...));
}

} // namespace hogwild
