// log and exp in double with the same bits on every machine: IEEE additions, multiplications and divisions only.
//
// Standard libraries differ in the last bit, and with them every generated dataset. Relative error below 1e-14 here.
#pragma once

#include <bit>
#include <cstdint>

namespace hogwild::portable {

/// Natural logarithm of a positive, normal x: log(2^k m) = k ln 2 + 2 artanh((m - 1) / (m + 1)), m in [sqrt(1/2), sqrt
/// 2).
inline double log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
    auto mantissa = std::bit_cast<double>((bits & 0x000FFFFFFFFFFFFF) | 0x3FF0000000000000);
    if (mantissa > 1.4142135623730951) {
        mantissa *= 0.5;
        ++exponent;
    }
    const double s = (mantissa - 1) / (mantissa + 1);
    const double square = s * s; // below 0.0295: the term of s^23 is below 1e-17 of the sum
    double sum = 0;
    for (int odd = 21; odd >= 1; odd -= 2) sum = sum * square + 1.0 / odd;
    return static_cast<double>(exponent) * 0.6931471805599453 + 2 * s * sum;
}

/// e^x for |x| <= 700, beyond clamped: 2^k e^r with |r| <= ln 2 / 2, e^r by its Taylor series.
inline double exp(double x) {
    x = x < -700 ? -700 : x > 700 ? 700 : x;
    const double scaled = x * 1.4426950408889634;
    const auto k = static_cast<std::int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    // ln 2 in two parts; k times the first is exact.
    const double r =
        (x - static_cast<double>(k) * 0.693147180369123816490) - static_cast<double>(k) * 1.90821492927058770002e-10;
    double sum = 1;
    for (int term = 14; term >= 1; --term) sum = 1 + sum * r / term;
    return sum * std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

/// x^y for positive x.
inline double pow(double x, double y) { return exp(y * log(x)); }

} // namespace hogwild::portable
