#include "kernels/numbers/half.h"

#include <cstdint>
#include <doctest/doctest.h>
#include <limits>
#include <type_traits>

using namespace hogwild;

namespace {

/// Numbers of all magnitudes that both kinds have, with either sign.
std::vector<float> numbers() {
    std::mt19937 random(1);
    std::vector<float> all{0.0f, 1.0f, 0.1f, 3.14159f, 0x1p-14f, 65'000.0f};
    for (int exponent = -24; exponent < 15; ++exponent)
        all.push_back(std::ldexp(std::uniform_real_distribution<float>(1, 2)(random), exponent));
    for (std::size_t k = all.size(); k-- > 0;) all.push_back(-all[k]);
    return all;
}

/// The mean over all dithers. It checks also that only two numbers come out.
template <class Number>
double mean_of(float x) {
    double sum = 0;
    std::set<std::uint32_t> found;
    for (std::uint32_t dither = 0; dither < 1u << 16; ++dither) {
        found.insert(Number::rounded(x, dither));
        sum += Number::widened(Number::rounded(x, dither));
    }
    CHECK(found.size() <= 2);
    return sum / (1u << 16);
}

} // namespace

TEST_CASE_TEMPLATE("rounding to 16 bits gives one of a number's neighbours, and the number as its mean", Number, Bf16,
                   Fp16) {
    constexpr bool kFp16 = std::is_same_v<Number, Fp16>;
    for (const float x : numbers()) {
        CAPTURE(x);
        const double least = Number::widened(Number::rounded(x, 0)), most = Number::widened(Number::rounded(x, 0xFFFF));
        CHECK(std::abs(least) <= std::abs(x));
        CHECK(std::abs(most) >= std::abs(x) * (1 - 0x1p-10));
        CHECK(std::abs(most - least) <=
              std::max(std::abs(double{x}) * (kFp16 ? 0x1p-10 : 0x1p-7), kFp16 ? 0x1p-24 : 0));
        const double off = std::abs(mean_of<Number>(x) - x);
        CHECK(off <= (kFp16 && std::abs(x) < 0x1p-14f ? 0x1p-37 : 0));
    }
}

TEST_CASE_TEMPLATE("a number that 16 bits have is left alone, with any dither", Number, Bf16, Fp16) {
    for (std::uint32_t bits = 0; bits < 0x7C00; ++bits) {
        for (const std::uint32_t sign : {0u, 0x8000u}) {
            const float x = Number::widened(sign | bits);
            for (const std::uint32_t dither : {0u, 1u, 0x8000u, 0xFFFFu}) {
                if (Number::rounded(x, dither) != (sign | bits)) FAIL(x);
            }
        }
    }
}

TEST_CASE("what no number of 16 bits is near stays what it is, or becomes the largest") {
    constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();
    for (const std::uint32_t dither : {0u, 0x1234u, 0xFFFFu}) {
        CHECK(Bf16::widened(Bf16::rounded(kInfinity, dither)) == kInfinity);
        CHECK(std::isnan(Bf16::widened(Bf16::rounded(kNaN, dither))));
        CHECK(std::isnan(Bf16::widened(Bf16::rounded(std::bit_cast<float>(0x7FFFFFFFu), dither))));
        CHECK(Fp16::widened(Fp16::rounded(1e6f, dither)) == 65'504.0f);
        CHECK(Fp16::widened(Fp16::rounded(-1e6f, dither)) == -65'504.0f);
        CHECK(std::isnan(Fp16::widened(Fp16::rounded(kNaN, dither))));
    }
}

TEST_CASE("neighbouring seeds give unlike random bits, whose mean is a half") {
    double sum = 0;
    std::set<std::uint32_t> found;
    for (std::uint32_t seed = 0; seed < 1'000; ++seed) {
        Dither dither(seed);
        for (int k = 0; k < 10; ++k) {
            const std::uint32_t bits = dither();
            found.insert(bits);
            sum += (bits & 0xFFFF) + (bits >> 16);
        }
    }
    CHECK(found.size() > 9'000); // sequences of seeds a step apart would overlap
    CHECK(sum / 20'000 / 0xFFFF == doctest::Approx(0.5).epsilon(0.02));
}
