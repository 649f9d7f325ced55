// Numbers as text: exact for files, in human units for the table. Parsing that accepts the whole text or nothing.
//
// Thread-safe: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hogwild {

/// The shortest text that reads back as the same double; empty for NaN and infinities (files hold finite numbers only).
std::string exact(double value);

/// Three significant digits and the unit that suits them: "3.21 ms", "2.88 s", "4 min 5 s"; "-" when not finite.
std::string human_seconds(double seconds);

/// Three significant digits, or 1 to 4: "0.315", "1.2e-05"; whole and grouped from 1000 up: "1,550"; "-" when not finite.
std::string human(double value, int digits = 3);

/// Digits in groups of three: "781,265".
std::string grouped(std::uint64_t value);

/// A whole number to the last digit and grouped, "29,542", up to 2^53, what a double holds; any other as human(value, digits).
std::string whole_or_human(double value, int digits);

/// What was asked for, a cell of summary.csv: a whole number to the last digit, "1,024", any other in three; words as they are.
std::string setting_text(const std::string& cell);

/// "512 B", "1.5 MiB", "3.2 GiB".
std::string human_bytes(double bytes);

/// A number above 0, rounded to so many significant digits.
double to_digits(double value, int digits);

/// A finite number that is the whole text, or nothing.
std::optional<double> parse_real(std::string_view text);
std::optional<std::uint64_t> parse_count(std::string_view text);

} // namespace hogwild
