// Decimal text to float, correctly rounded, at several hundred megabytes a second.
//
// Eight digits are converted at a time by three multiplications on a 64-bit word. A number m x 10^e with m below 10^18
// and |e| <= 22 is computed in double with a relative error below 2^-51. The number m and the product are rounded once
// each. Then it is rounded to float. That is the correct rounding unless the double lies within a few units of the
// midpoint of two floats, which its low 29 bits tell. Those cases, about one in 10^7, and longer numbers go to
// std::from_chars.
//
// Source: Clinger 1990 (exact powers of ten); Ziv 1991 (the rounding test).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace hogwild::decimal {

static_assert(std::endian::native == std::endian::little, "digit words are read in little-endian order");

/// The next eight characters; those at or beyond `end` read as NUL.
inline std::uint64_t load_word(const char* p, const char* end) {
    std::uint64_t word = 0;
    if (end - p >= 8) [[likely]] {
        std::memcpy(&word, p, 8);
    } else if (p < end) {
        std::memcpy(&word, p, static_cast<std::size_t>(end - p));
    }
    return word;
}

/// How many of the word's first characters are digits, 0 to 8.
inline unsigned digit_count(std::uint64_t word) {
    const std::uint64_t offset = word ^ 0x3030303030303030; // digits become 0 to 9
    // A byte above 9 sets its top bit; a carry can only spoil bytes after the first such byte.
    const std::uint64_t others = ((offset + 0x7676767676767676) | offset) & 0x8080808080808080;
    return static_cast<unsigned>(std::countr_zero(others)) / 8;
}

/// The value of the word's first `count` characters, all digits; count is 1 to 8.
inline std::uint32_t digits_value(std::uint64_t word, unsigned count) {
    std::uint64_t digits = (word ^ 0x3030303030303030) << (64 - 8 * count); // leading zeros, then the digits
    digits = digits * 10 + (digits >> 8);
    const std::uint64_t mask = 0x000000FF000000FF;
    return static_cast<std::uint32_t>(
        ((digits & mask) * 0x000F424000000064 + ((digits >> 16) & mask) * 0x0000271000000001) >> 32);
}

inline constexpr std::array<std::uint64_t, 9> kPowers = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

inline constexpr std::array<double, 23> kExactPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// A number is read as its nearest float. What is too large has none: kOverflow. What is too small has 0, of its sign.
enum class Reading { kOk, kNoDigits, kOverflow };

/// Why no float is such a number; empty for the other readings.
std::string_view why_out_of_range(Reading reading);

/// The whole text as a number; kNoDigits for a text that is none, also for nan and inf.
Reading read_whole(std::string_view text, float& number);

/// The careful path: [begin, end) is a sign, digits, a point, an exponent.
Reading read_exactly(const char* begin, const char* end, float& number);

/// Reads an exponent at p, "e-7", and leaves p behind it; 0 where there is none.
inline std::int64_t read_exponent(const char*& p) {
    if ((*p | 0x20) != 'e') return 0;
    const char* q = p + 1;
    const bool down = *q == '-';
    q += down || *q == '+' ? 1 : 0;
    const auto is_digit = [](char c) { return static_cast<unsigned char>(c - '0') < 10; };
    if (!is_digit(*q)) return 0; // the 'e' is no exponent, and whoever called complains
    std::int64_t power = 0;
    for (; is_digit(*q); ++q) power = power < 100000 ? power * 10 + (*q - '0') : power;
    p = q;
    return down ? -power : power;
}

/// Reads a number at p and leaves p behind it. Needs a character that is no part of a number before `end` (a newline).
/// kNoDigits leaves p where the digits should have begun.
inline Reading read_float(const char*& p, const char* end, float& number) {
    const char* const begin = p;
    if (static_cast<unsigned char>(p[0] - '0') < 10 && p[1] == ' ') { // binary features are ones
        number = static_cast<float>(p[0] - '0');
        ++p;
        return Reading::kOk;
    }
    const bool negative = *p == '-';
    p += negative || *p == '+' ? 1 : 0;
    std::uint64_t mantissa = 0;
    const char* digits = p;
    auto read_digits = [&] {
        unsigned count = 0;
        do {
            const std::uint64_t word = load_word(p, end);
            count = digit_count(word);
            if (count == 0) break;
            mantissa = mantissa * kPowers[count] + digits_value(word, count); // wraps beyond 18 digits: not used then
            p += count;
        } while (count == 8);
    };
    if (static_cast<unsigned char>(p[0] - '0') < 10 && p[1] == '.') { // and most others look like 0.1234
        mantissa = static_cast<unsigned char>(p[0] - '0');
        ++p;
    } else {
        read_digits();
    }
    auto digit_total = p - digits;
    std::int64_t exponent = 0;
    if (*p == '.') {
        ++p;
        const char* const fraction = p;
        read_digits();
        exponent = fraction - p;
        digit_total -= exponent;
    }
    if (digit_total == 0) {
        p = digits;
        return Reading::kNoDigits;
    }
    exponent += read_exponent(p);
    if (digit_total > 18 || exponent < -22 || exponent > 22) [[unlikely]]
        return read_exactly(begin, p, number);
    auto magnitude = static_cast<double>(static_cast<std::int64_t>(mantissa));
    magnitude = exponent < 0 ? magnitude / kExactPowers[static_cast<std::size_t>(-exponent)]
                             : magnitude * kExactPowers[static_cast<std::size_t>(exponent)];
    const std::uint64_t below_float = std::bit_cast<std::uint64_t>(magnitude) & 0x1FFFFFFF;
    if (below_float - 0x0FFFFFF8 <= 16 || magnitude > 3e38) [[unlikely]]
        return read_exactly(begin, p, number);
    number = static_cast<float>(negative ? -magnitude : magnitude);
    return Reading::kOk;
}

} // namespace hogwild::decimal
