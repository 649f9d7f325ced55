// How what a step makes of a short number (kernels/numbers/storage.h) becomes one again.
//
//   unbiased   up or down at random, by random bits of each number's own: the mean is what the step made
//   shared     up or down at random, by sixteen words that a step draws once: number k of its row takes word k mod 16.
//              Each rounding is as unbiased as with bits of its own; sixteen apart they go up or down together
//   nearest    to the nearest number, halves away from zero: what moves a number by less than half the distance is lost
//
// Source: De Sa et al., "Understanding and optimizing asynchronous low-precision stochastic gradient descent", ISCA 2017, where
// random vectors are reused within an iteration.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hogwild {

enum class Rounding { kUnbiased, kShared, kNearest };

inline constexpr std::size_t kRoundings = 3;

/// A random word as a number type's dither.
template <class Number>
constexpr std::uint32_t dither_of(std::uint32_t word) {
    return word >> (32 - Number::kDither);
}

/// The dither that rounds to the nearest.
template <class Number>
inline constexpr std::uint32_t kHalfWay = std::uint32_t{1} << (Number::kDither - 1);

} // namespace hogwild
