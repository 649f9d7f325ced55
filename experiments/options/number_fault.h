// Why a text that was typed is no number that can be computed with.
//
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hogwild {

/// Of a text that parse_real does not read: that the number is too large or too close to 0 for 64 bits, else `otherwise`.
std::string why_no_number(std::string_view text, const std::string& otherwise);

/// Of a text that is to be a whole number of these: what is wrong with it, else empty.
std::string whole_number_fault(const std::string& text, std::uint64_t least, std::uint64_t most);

/// Of a text that is to be a finite number: what is wrong with it, else empty.
std::string real_number_fault(const std::string& text);

} // namespace hogwild
