// Characters of UTF-8. Reentrant.
#pragma once

#include <cstddef>
#include <string_view>

namespace hogwild::utf8 {

/// Bytes of the character at the front, by the table of RFC 3629; 0: it is none.
inline std::size_t character(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (at(i) & 0xC0) == 0x80; };
    const unsigned first = at(0), second = at(1);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool shortest = first != 0xE0 || second >= 0xA0, no_surrogate = first != 0xED || second < 0xA0;
        return follows(1) && follows(2) && shortest && no_surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool shortest = first != 0xF0 || second >= 0x90, within = first != 0xF4 || second < 0x90;
        return follows(1) && follows(2) && follows(3) && shortest && within ? 4 : 0;
    }
    return 0;
}

} // namespace hogwild::utf8
