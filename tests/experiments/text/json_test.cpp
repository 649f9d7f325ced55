#include "experiments/text/json.h"

#include <string>

#include <doctest/doctest.h>

using namespace hogwild;

TEST_CASE("a text whose keys stand twice, whose numbers are none or that is nested too deep is no JSON") {
    const std::string deep(65, '['), closed(65, ']');
    for (const std::string& text : {std::string(R"({"a":1,"a":1})"), std::string(R"([{"b":{"a":1,"c":2,"a":3}}])"),
                                    std::string(R"({"a":1,"\u0061":2})"), std::string("1e999"), std::string("NaN"),
                                    std::string("[1,]"), std::string("{"), std::string(), deep + closed}) {
        INFO(text);
        CHECK_FALSE(json_if(text).has_value());
        CHECK_THROWS_AS(json_of(text), Json::exception);
    }
}

TEST_CASE("the same key in two objects stands in each once") {
    const std::string text = R"([{"a":{"a":1}},{"a":[{"a":2},{"a":3}]}])";
    CHECK(json_text(json_of(text)) == text);
    CHECK(json_text(json_if(text).value()) == text);
}
