#include "experiments/options/lists.h"

#include "engine/error.h"
#include "engine/numbers.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace hogwild;
using Texts = std::vector<std::string>;

TEST_CASE("a bracket of three numbers goes from the first to the second by the third, and not beyond") {
    CHECK(name_list("--x", "[1:7:2]") == Texts{"1", "3", "5", "7"});
    CHECK(name_list("--x", "[1:8:3]") == Texts{"1", "4", "7"});
    CHECK(name_list("--x", "[2:4]") == Texts{"2", "3", "4"});
    CHECK(name_list("--x", "[0:0.3:0.1]") == Texts{"0", "0.1", "0.2", "0.3"});
    CHECK(name_list("--x", "[5:5]") == Texts{"5"});
}

TEST_CASE("pow2 gives the powers of two within its range") {
    CHECK(name_list("--x", "[pow2 1..64]") == Texts{"1", "2", "4", "8", "16", "32", "64"});
    CHECK(name_list("--x", "[pow2 3..20]") == Texts{"4", "8", "16"});
    CHECK(name_list("--x", "[pow2 9223372036854775808..18446744073709551615]") == Texts{"9223372036854775808"});
}

TEST_CASE("log gives as many as asked, its ends as they are written, each the one before times one factor") {
    const Texts values = name_list("--x", "[log 1e-3..1 x4]");
    CHECK(values == Texts{"1e-3", "0.01", "0.1", "1"});
    const Texts many = name_list("--x", "[log 0.02..3 x12]");
    REQUIRE(many.size() == 12);
    const double factor = std::pow(3 / 0.02, 1.0 / 11);
    for (std::size_t i = 1; i < many.size(); ++i)
        CHECK(*parse_real(many[i]) / *parse_real(many[i - 1]) ==
              doctest::Approx(factor).epsilon(0.011)); // 3 digits each
}

TEST_CASE("brackets stand among other values, and what is named twice is taken once") {
    CHECK(name_list("--x", "8,[pow2 2..8],3") == Texts{"8", "2", "4", "3"});
    CHECK(name_list("--x", "racy,atomic") == Texts{"racy", "atomic"});
}

TEST_CASE("a bracket of any numbers stands for numbers within it") {
    CHECK(name_list("--x", "[log 1e-320..1 x3]") == Texts{"1e-320", "1e-160", "1"});
    CHECK(name_list("--x", "[log 1e-308..1e308 x3]") == Texts{"1e-308", "1", "1e308"});
    CHECK(name_list("--x", "[-1e308:1e308:1e308]") == Texts{"-1e+308", "0", "1e+308"});
    for (const char* text :
         {"[log 4.9e-324..1.7976931348623157e308 x999]", "[log 1.79e308..1.797e308 x50]", "[log 5e-324..2e-323 x9]",
          "[1.7e308:1.7976931348623157e308:1e305]", "[-1.7976931348623157e308:1.7976931348623157e308:1e306]"}) {
        for (const std::string& value : name_list("--x", text)) {
            CAPTURE(value);
            CHECK(parse_real(value));
        }
    }
}

TEST_CASE("an end that no number is, or too many values, is refused in the words of what was typed") {
    const auto refusal = [](const char* text) -> std::string {
        try {
            name_list("--l2", text);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    CHECK(refusal("[log 1e-400..1 x3]") ==
          "--l2 cannot be '[log 1e-400..1 x3]' (of '1e-400': it is closer to 0 than the "
          "smallest number, 4.9e-324); write it like [log 1e-3..1 x12]");
    CHECK(refusal("[1:1e309:2]") ==
          "--l2 cannot be '[1:1e309:2]' (of '1e309': it is beyond the largest number, 1.8e308); "
          "write it like [1:64:2]");
    CHECK(refusal("[0:1:1e-300]") ==
          "--l2 cannot be '[0:1:1e-300]' (it stands for more than 10^18 values); name fewer values");
    CHECK(refusal("[0:1e9:1]").find("(it stands for 1,000,000,001 values)") != std::string::npos);
}

TEST_CASE("a bracket outside the grammar is a usage error that names option and bracket") {
    for (const std::string text : {"[1:2", "[1:9:0]", "[9:1]", "[1:2:3:4]", "[]", "[x]", "[pow2 0..4]", "[pow2 5..7]",
                                   "[pow2 8]", "[log 1..2]", "[log 1..2 x1]", "[log 0..1 x3]", "[log 2..1 x3]",
                                   "[log 1..2 xx]", "[1:1e9]", "[log 1..2 x99999]", "[pow 1..2]"}) {
        CAPTURE(text);
        try {
            name_list("--threads", text);
            FAIL_CHECK("no error");
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::kUsage);
            CHECK(std::string(error.what()).find("--threads cannot be '" + text + "' (") == 0);
        }
    }
}
