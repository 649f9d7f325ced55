#include "engine/numbers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace hogwild {
namespace {

TEST_CASE("an exact number reads back as the same bits, in the shortest form") {
    for (const double value :
         {0.1, 1.0 / 3.0, 1e-300, 5e-324, 1.7976931348623157e308, -2.5, 123456789.0, 0.30000000000000004}) {
        CHECK(std::strtod(exact(value).c_str(), nullptr) == value);
    }
    CHECK(exact(0.1) == "0.1");
    CHECK(exact(1e21) == "1e+21");
    CHECK(exact(3) == "3");
}

TEST_CASE("a number that is not finite is an empty field") {
    CHECK(exact(std::nan("")) == "");
    CHECK(exact(std::numeric_limits<double>::infinity()) == "");
    CHECK(human(std::nan("")) == "-");
    CHECK(human_seconds(-std::numeric_limits<double>::infinity()) == "-");
}

TEST_CASE("a whole number keeps its last digit as far as a double holds it, any other is rounded") {
    CHECK(whole_or_human(29542, 4) == "29,542");
    CHECK(whole_or_human(29542.25, 4) == "29,540");
    CHECK(whole_or_human(0, 4) == "0");
    CHECK(whole_or_human(-1234567, 4) == "-1,234,567");
    CHECK(whole_or_human(0.94151, 4) == "0.9415");
    CHECK(whole_or_human(9007199254740992.0, 4) == "9,007,199,254,740,992"); // 2^53
    CHECK(whole_or_human(9007199254740994.0, 4) == "9.007e+15");
    CHECK(whole_or_human(std::nan(""), 4) == "-");
    CHECK(whole_or_human(-std::numeric_limits<double>::infinity(), 4) == "-");
}

TEST_CASE("a setting is shown to its last digit where it is whole, in three where it is not, and words stay words") {
    CHECK(setting_text("1024") == "1,024");
    CHECK(setting_text("16384") == "16,384");
    CHECK(setting_text("256") == "256");
    CHECK(setting_text("0.0055555") == "0.00556");
    CHECK(setting_text("4e-05") == "4e-05");
    CHECK(setting_text("racy") == "racy");
    CHECK(setting_text("") == "");
}

TEST_CASE("seconds are shown in a unit that suits them") {
    CHECK(human_seconds(0) == "0 ns");
    CHECK(human_seconds(1.5e-5) == "15 us");
    CHECK(human_seconds(0.0321) == "32.1 ms");
    CHECK(human_seconds(0.9999) == "1 s");
    CHECK(human_seconds(12.34) == "12.3 s");
    CHECK(human_seconds(245) == "4 min 5 s");
    CHECK(human_seconds(2.88) == "2.88 s");
}

TEST_CASE("a duration that rounds to a thousand of its unit is one of the next") {
    CHECK(human_seconds(999.4e-9) == "999 ns");
    CHECK(human_seconds(999.6e-9) == "1 us");
    CHECK(human_seconds(999.6e-6) == "1 ms");
    CHECK(human_seconds(999.6e-3) == "1 s");
}

TEST_CASE("numbers for people have three digits, and no exponent from a thousand up") {
    CHECK(human(0) == "0");
    CHECK(human(0.31549) == "0.315");
    CHECK(human(1.2e-5) == "1.2e-05");
    CHECK(human(999.4) == "999");
    CHECK(human(999.5) == "1,000");
    CHECK(human(1000) == "1,000");
    CHECK(human(1549.7) == "1,550");
    CHECK(human(99'950) == "100,000");
    CHECK(human(-2880) == "-2,880");
    CHECK(human(123'456'789'012) == "123,000,000,000");
    CHECK(human(1e15) == "1e+15");
    CHECK(human(999.7, 4) == "999.7");
    CHECK(human(12'345, 4) == "12,350");
}

TEST_CASE("counts are grouped by three digits") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(781265) == "781,265");
    CHECK(grouped(18446744073709551615u) == "18,446,744,073,709,551,615");
}

TEST_CASE("a number is the whole text or nothing") {
    CHECK(parse_real("1e-4") == 1e-4);
    CHECK(parse_real("-2") == -2.0);
    CHECK(parse_count("18446744073709551615") == 18446744073709551615u);
    for (const char* text : {"", " 1", "1 ", "nan", "inf", "1e400", "0.1x"}) CHECK_FALSE(parse_real(text).has_value());
    for (const char* text : {"", "-1", "+1", "1.0", "18446744073709551616"}) CHECK_FALSE(parse_count(text).has_value());
}

} // namespace
} // namespace hogwild
