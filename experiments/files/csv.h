// Comma-separated values after RFC 4180: fields with a comma, a quote or a line break are quoted, quotes doubled.
//
// Lines end with "\n" alone, as every tool of this system writes and reads them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hogwild {

std::string csv_field(std::string_view text);

/// The fields of one line, with its line end.
std::string csv_line(std::span<const std::string> fields);

} // namespace hogwild
