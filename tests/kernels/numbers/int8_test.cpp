#include "kernels/numbers/int8.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace hogwild;

namespace {

constexpr std::uint32_t kWords = std::uint32_t{1} << Int8::kDither;

/// How many dithers round x towards zero: those below it, since more of a dither rounds no less.
std::uint32_t towards_zero(const Int8& number, float x) {
    const std::uint32_t least = number.rounded(x, 0);
    std::uint32_t low = 1, high = kWords;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (number.rounded(x, middle) == least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// The mean over all dithers, in steps.
double mean_of(const Int8& number, float x) {
    const double least = number.widened(number.rounded(x, 0)), most = number.widened(number.rounded(x, kWords - 1));
    const double share = towards_zero(number, x) / double{kWords};
    return (least * share + most * (1 - share)) / number.step;
}

} // namespace

TEST_CASE("rounding to 8 bits gives one of a number's neighbours, and the number as its mean") {
    for (const double range : {1.0, 4.0, 127.0, 3e-3}) {
        const Int8 number = Int8::of_range(range);
        for (const float steps :
             {0.5f, 0.75f, 1.0f, 1.0f + 0x1p-23f, 1.1f, 3.999f, 17.3f, 126.0f, 126.99999f, 127.0f}) {
            for (const float sign : {1.0f, -1.0f}) {
                const float x = sign * steps * number.step;
                CAPTURE(x);
                CHECK(std::abs(number.widened(number.rounded(x, 0))) == std::floor(steps) * number.step);
                CHECK(mean_of(number, x) == double{x} / number.step);
            }
        }
        for (const float steps : {0.3f, 1e-3f, 1e-6f, 0x1p-24f, 1e-8f, 1e-30f})
            CHECK(std::abs(mean_of(number, steps * number.step) - steps) <= 0x1p-24);
    }
}

TEST_CASE("more of a dither rounds no less, of every dither") {
    const Int8 number = Int8::of_range(4);
    const float x = 7.3f * number.step;
    const std::uint32_t least = number.rounded(x, 0), turn = towards_zero(number, x);
    for (std::uint32_t dither = 0; dither < kWords; ++dither) {
        if (number.rounded(x, dither) != (dither < turn ? least : least + 1)) FAIL(dither);
    }
}

TEST_CASE("a number that 8 bits have is left alone, with any dither") {
    for (const double range : {1e-6, 1.0, 1e6}) {
        const Int8 number = Int8::of_range(range);
        for (int k = -127; k <= 127; ++k) {
            const float x = static_cast<float>(k) * number.step;
            for (const std::uint32_t dither : {0u, 1u, kWords / 2, kWords - 1})
                CHECK(number.widened(number.rounded(x, dither)) == x);
        }
    }
}

TEST_CASE("what is beyond the range becomes its end, and never wraps") {
    const Int8 number = Int8::of_range(4);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const float most = 127 * number.step;
    for (const std::uint32_t dither : {0u, 1u, kWords - 1}) {
        for (const float x : {most, 1.001f * most, 128 * number.step, 255 * number.step, 1e30f, kInfinity}) {
            CHECK(number.widened(number.rounded(x, dither)) == most);
            CHECK(number.widened(number.rounded(-x, dither)) == -most);
        }
        CHECK(std::abs(number.widened(number.rounded(std::nanf(""), dither))) == most);
    }
}

TEST_CASE("the step is the smallest power of two that reaches the range") {
    for (const double range : {1e-6, 0.9, 1.0, 127.0, 127.001, 254.0, 4.0, 1e6}) {
        const Int8 number = Int8::of_range(range);
        CHECK(127 * double{number.step} >= range);
        CHECK(127 * double{number.step} / 2 < range);
        CHECK(number.step * number.per_step == 1.0f);
        int exponent = 0;
        CHECK(std::frexp(number.step, &exponent) == 0.5f);
    }
}
