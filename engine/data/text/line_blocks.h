// Cuts text into blocks of whole lines, of about equal size, for threads to parse on their own. What is said of lines and
// newlines holds for words and the bytes between them where `ends` are blanks too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct LineBlocks {
    std::vector<std::string_view> blocks; // each ends with a newline
    std::string_view rest;                // behind the last newline
};

/// Blocks of at least `block_bytes` (at most max_line_bytes) up to the end of the line. Throws Error for a line longer
/// than `max_line_bytes`; `lines_before` counts the lines of the same file before this text.
LineBlocks cut_lines(std::string_view text, std::uint64_t block_bytes, std::uint64_t max_line_bytes,
                     const std::string& name, std::uint64_t lines_before, std::string_view ends = "\n");

/// The error for line `line`, 1-based, or for a word in it.
[[noreturn]] void fail_long_line(const std::string& name, std::uint64_t line, std::uint64_t max_line_bytes,
                                 std::string_view ends = "\n");

/// UTF-8's byte order mark says nothing about the text.
inline std::string_view without_byte_order_mark(std::string_view text) {
    return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

} // namespace hogwild
