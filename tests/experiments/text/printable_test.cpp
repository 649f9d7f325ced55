#include "experiments/text/printable.h"

#include <doctest/doctest.h>

#include <string>

using namespace hogwild;

TEST_CASE("what was read from a file reaches a terminal without control characters") {
    CHECK(printable("a plain line\n\twith a tab\n") == "a plain line\n\twith a tab\n");
    CHECK(printable("caf\xC3\xA9, \xE2\x82\xAC, \xC2\xA0") == "caf\xC3\xA9, \xE2\x82\xAC, \xC2\xA0");
    CHECK(printable("\x1b[31mred\x1b[0m") == "\\x1b[31mred\\x1b[0m");
    CHECK(printable("\x1b]0;title\x07") == "\\x1b]0;title\\x07");
    CHECK(printable("over\rwritten\x7f\b") == "over\\x0dwritten\\x7f\\x08");
    CHECK(printable("\xC2\x9B"
                    "31m") == "\\xc2\\x9b31m"); // one character that some terminals take for ESC [
    CHECK(printable(std::string("a\0b", 3)) == "a\\x00b");
    CHECK(printable("\xC2").size() == 1);
    CHECK(printable("").empty());
}
