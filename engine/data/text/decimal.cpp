#include "engine/data/text/decimal.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace hogwild::decimal {

std::string_view why_out_of_range(Reading reading) {
    return reading == Reading::kOverflow ? "larger than the largest float, 3.4e38" : "";
}

Reading read_whole(std::string_view text, float& number) {
    std::array<char, 64> few; // nearly every number is shorter, and takes no memory of its own
    std::string many;
    char* copy = few.data();
    if (text.size() >= few.size()) {
        many.resize(text.size() + 1);
        copy = many.data();
    }
    *std::ranges::copy(text, copy).out = '\n';
    const char* p = copy;
    const char* const end = copy + text.size();
    const Reading reading = read_float(p, end, number);
    return p == end ? reading : Reading::kNoDigits;
}

Reading read_exactly(const char* begin, const char* end, float& number) {
    if (*begin == '+') ++begin; // from_chars knows no plus sign
    const auto [rest, failure] = std::from_chars(begin, end, number);
    if (failure == std::errc{} && number != 0) return Reading::kOk;
    // Out of range means too large or, in some libraries, too small: the place of the first significant digit tells.
    // Others round what is too small to 0.
    const bool negative = *begin == '-';
    const char* p = begin + (negative ? 1 : 0);
    std::int64_t magnitude = 0; // decimal exponent of the first significant digit, plus one
    bool significant = false;
    bool fraction = false;
    for (; p != end && (*p | 0x20) != 'e'; ++p) {
        if (*p == '.') {
            fraction = true;
            continue;
        }
        significant = significant || *p != '0';
        if (significant && !fraction) ++magnitude;
        if (!significant && fraction) --magnitude;
    }
    std::int64_t exponent = 0;
    if (p != end) {
        ++p;
        const bool down = *p == '-';
        p += down || *p == '+' ? 1 : 0;
        for (; p != end; ++p) exponent = exponent < 1'000'000'000'000 ? exponent * 10 + (*p - '0') : exponent;
        exponent = down ? -exponent : exponent;
    }
    if (significant && magnitude + exponent > 0) return Reading::kOverflow;
    number = negative ? -0.0F : 0.0F;
    return Reading::kOk;
}

} // namespace hogwild::decimal
