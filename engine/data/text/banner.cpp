#include "engine/data/text/banner.h"

#include <algorithm>
#include <array>
#include <string>

namespace hogwild {

bool looks_like_banner(std::string_view line) {
    constexpr std::size_t kLongest = 200; // a banner is no longer
    std::string letters = " ";            // words of letters alone, each between blanks
    for (const char c : line.substr(0, std::min(line.find('\n'), kLongest))) {
        const char lower = static_cast<char>(c | 0x20);
        if (lower >= 'a' && lower <= 'z') {
            letters += lower;
        } else if (letters.back() != ' ') {
            letters += ' ';
        }
    }
    letters += ' ';
    const std::string_view all = letters;
    if (all.starts_with(" matrixmarket") || all.starts_with(" matrix market ")) return true;
    const auto has = [&](std::string_view word) { return all.find(word) != std::string_view::npos; };
    constexpr std::array kFields{" real ", " integer ", " pattern ", " complex "};
    return has(" matrix ") && (has(" coordinate ") || has(" array ")) && std::ranges::any_of(kFields, has);
}

} // namespace hogwild
