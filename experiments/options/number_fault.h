// Why a text that was typed is no number that can be computed with.
//
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hogwild {

/// Why parse_real does not read this text: the number is too large or too close to 0 for 64 bits, else `otherwise`.
std::string why_no_number(std::string_view text, const std::string& otherwise);

/// What is wrong with a text that is to be a whole number of these; empty: nothing.
std::string whole_number_fault(const std::string& text, std::uint64_t least, std::uint64_t most);

/// What is wrong with a text that is to be a finite number; empty: nothing.
std::string real_number_fault(const std::string& text);

} // namespace hogwild
