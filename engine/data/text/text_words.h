// Words of a text for messages: quoted, printable, and never longer than a glance.
//
// `ends(p)` says where a word ends; it is true of a newline, which every word is followed by. Reentrant.
#pragma once

#include "engine/data/text/utf8.h"

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace hogwild::words {

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_blank_or_cr(char c) { return is_blank(c) || c == '\r'; } // of lines that may end with CR LF
inline bool is_printable(char c) { return c >= 0x20 && c < 0x7F; }
inline bool ends_line(const char* p) { return *p == '\n' || (*p == '\r' && p[1] == '\n'); }

/// The word at p, or its front.
inline std::string shown(const char* p, const auto& ends) {
    constexpr int kLongest = 32;
    std::string word;
    int length = 0;
    for (; !ends(p) && length < kLongest; ++p, ++length) {
        if (is_printable(*p))
            word += *p;
        else
            word += fmt::format("\\x{:02x}", static_cast<unsigned char>(*p));
    }
    return length == kLongest ? word + "..." : word;
}

inline std::string quoted(const char* p, const auto& ends) { return "'" + shown(p, ends) + "'"; }

/// Whether it holds what no text does: a control character, or a byte that is no UTF-8.
inline bool is_binary(const char* p, const auto& ends) {
    const char* end = p;
    while (!ends(end)) ++end;
    for (std::string_view word(p, static_cast<std::size_t>(end - p)); !word.empty();) {
        const std::size_t bytes = utf8::character(word);
        if (bytes == 0 || (bytes == 1 && !is_printable(word[0]))) return true;
        word.remove_prefix(bytes);
    }
    return false;
}

inline bool names_non_finite(const char* p) {
    p += *p == '-' || *p == '+' ? 1 : 0;
    const auto starts = [p](const char* word) {
        for (std::size_t i = 0; word[i] != '\0'; ++i) {
            if ((p[i] | 0x20) != word[i]) return false; // a newline differs from every letter, so this stays inside
        }
        return true;
    };
    return starts("nan") || starts("inf");
}

} // namespace hogwild::words
