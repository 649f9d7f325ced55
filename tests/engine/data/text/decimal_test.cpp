#include "engine/data/text/decimal.h"

#include <doctest/doctest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

namespace hogwild {
namespace {

using decimal::Reading;

struct Result {
    Reading reading;
    float number;
    std::size_t consumed;
};

Result read(const std::string& text) {
    const std::string line = text + "\n";
    const char* p = line.data();
    float number = 0;
    const Reading reading = decimal::read_float(p, line.data() + line.size(), number);
    return {reading, number, static_cast<std::size_t>(p - line.data())};
}

// The library's correctly rounded reading of the same text, which has no plus sign.
void check_against_library(const std::string& text) {
    float expected = 0;
    const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), expected);
    if (failure != std::errc{}) return;
    const Result result = read(text);
    if (result.reading != Reading::kOk || result.consumed != text.size() ||
        std::bit_cast<std::uint32_t>(result.number) != std::bit_cast<std::uint32_t>(expected)) {
        FAIL_CHECK(text << " read as " << result.number << ", not " << expected);
    }
}

TEST_CASE("decimal text is rounded as the standard library rounds it") {
    std::mt19937_64 random(1);
    char text[64];
    for (int i = 0; i < 300000; ++i) {
        const auto any = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        for (const char* format : {"%.6g", "%.9g", "%.17g", "%.3f", "%e"}) {
            if (!std::isfinite(any) || (std::string(format) == "%.3f" && std::abs(any) > 1e20F)) continue;
            check_against_library(
                {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, format, static_cast<double>(any)))});
        }
        const double usual = static_cast<double>(random() >> 11) * 0x1p-53;
        check_against_library(
            {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.*f", i % 20, usual))});
        check_against_library(
            {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.*g", 1 + i % 19, usual * 1000))});
    }
}

TEST_CASE("numbers beside the midpoint of two floats round to the right side") {
    std::mt19937_64 random(2);
    char text[128];
    for (int i = 0; i < 100000; ++i) {
        const float low = static_cast<float>(static_cast<double>(random() >> 40) * 0x1p-24 + 0.03);
        const double middle = (static_cast<double>(low) + static_cast<double>(std::nextafter(low, 2.0F))) / 2; // exact
        std::snprintf(text, sizeof text, "%.17g", middle);
        check_against_library(text);
        std::snprintf(text, sizeof text, "%.60g", middle); // all its digits
        check_against_library(text);
        check_against_library(std::string(text) + "1");
    }
}

TEST_CASE("every form of a number is read to its end") {
    for (const auto& form : {std::pair<const char*, float>{"1", 1},
                             {"+1", 1},
                             {"-1", -1},
                             {"0.5", 0.5F},
                             {".5", 0.5F},
                             {"5.", 5},
                             {"+.25e1", 2.5F},
                             {"1e3", 1000},
                             {"1E-3", 0.001F},
                             {"1e+3", 1000},
                             {"00012.50", 12.5F},
                             {"123456789", 123456789.0F},
                             {"0", 0},
                             {"1e-400", 0},
                             {"1e-44", 1e-44F},
                             {"0e999999999999", 0},
                             {"0.00000000000000000000000000000000000000000000000001e50", 1.0F}}) {
        const std::string text = form.first;
        const Result result = read(text);
        CAPTURE(text);
        CHECK(result.reading == Reading::kOk);
        CHECK(result.number == form.second);
        CHECK(result.consumed == std::string(text).size());
    }
    const std::string zeros(500, '0');
    CHECK(read("0." + zeros + "1e450").number == 0); // 1e-51
    CHECK(read("0." + zeros + "1e501").number == 1);
    CHECK(read("1" + zeros + "e-450").reading == Reading::kOverflow); // 1e50
    CHECK(std::signbit(read("-0").number));
    CHECK(std::signbit(read("-1e-400").number));
}

TEST_CASE("a number is its nearest float: what is too small is 0, a subnormal is itself") {
    const std::string zeros(500, '0');
    for (const std::string& text :
         {std::string("1e-400"), std::string("-1e-400"), std::string("1e-46"), "0." + zeros + "1", std::string("7e-46"),
          std::string("1e-99999999999999999999"), "1e-50" + zeros}) {
        CAPTURE(text);
        CHECK(read(text).reading == Reading::kOk);
        CHECK(read(text).number == 0);
        CHECK(read(text).consumed == text.size());
    }
    const float least = std::numeric_limits<float>::denorm_min();
    for (const char* text : {"1.4012984643e-45", "7.1e-46", "1e-45"}) CHECK(read(text).number == least);
    CHECK(read("-1.1754942e-38").number == -1.1754942e-38F); // the largest subnormal
    for (const char* zero : {"0", "-0.000", "0e-999", "0.0e5"}) CHECK(read(zero).reading == Reading::kOk);
}

TEST_CASE("a whole text is a number or it is not, and what is out of range says which end") {
    float number = 0;
    for (const std::string& text :
         {std::string("1"), std::string("+1"), std::string("1."), std::string("1e0"), "1." + std::string(60, '0'),
          "1." + std::string(61, '0'), "1." + std::string(62, '0'), "1." + std::string(900, '0')}) {
        CHECK(decimal::read_whole(text, number) == Reading::kOk);
        CHECK(number == 1);
    }
    for (const char* text : {"", "1 ", " 1", "1x", "1e99x", "nan", "-inf", "1\n"})
        CHECK(decimal::read_whole(text, number) == Reading::kNoDigits);
    CHECK(decimal::read_whole("1e39", number) == Reading::kOverflow);
    CHECK(decimal::read_whole("1e-46", number) == Reading::kOk);
    CHECK(number == 0);
    CHECK(decimal::why_out_of_range(Reading::kOk).empty());
    CHECK(decimal::why_out_of_range(Reading::kOverflow) == "larger than the largest float, 3.4e38");
}

TEST_CASE("what is no number, or too large for a float, is told apart") {
    for (const char* text : {"", "+", "-", ".", "e5", "abc", "nan", "inf", "-.e1", ":"})
        CHECK(read(text).reading == Reading::kNoDigits);
    for (const char* text :
         {"1e400", "-1e39", "3.5e38", "1e99999999999999999999", "400000000000000000000000000000000000000"}) {
        CHECK(read(text).reading == Reading::kOverflow);
    }
    CHECK(read("3.4028234663852886e38").number == std::numeric_limits<float>::max());
    CHECK(read("1e").consumed == 1); // the caller sees the 'e'
    CHECK(read("1.2.3").consumed == 3);
}

} // namespace
} // namespace hogwild
