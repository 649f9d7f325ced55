#include "experiments/files/csv_reader.h"

#include "engine/error.h"
#include "experiments/files/csv.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace hogwild {
namespace {

using Fields = std::vector<std::string>;

TEST_CASE("what csv_line writes, read_csv reads") {
    const std::vector<Fields> lines{
        {"a", "b", "c"},
        {"", "", ""},
        {"plain", "with, comma", "with \"quotes\""},
        {"two\nlines", "\r\n", "\""},
        {"\"\"", ",", "\xC3\xA9 \xFF"},
        {"</script>", " spaces ", "3.5"},
    };
    std::string text;
    for (const Fields& fields : lines) text += csv_line(fields);
    const CsvText read = read_csv(text, "file");
    REQUIRE(read.records.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) CHECK(read.records[i].fields == lines[i]);
    CHECK(read.torn_line == 0);
}

TEST_CASE("a record knows the line where it begins") {
    const CsvText read = read_csv("a,b\n\"1\n2\n3\",x\n\ny,z\n", "file");
    REQUIRE(read.records.size() == 3);
    CHECK(read.records[1].line == 2);
    CHECK(read.records[2].line == 6);
}

TEST_CASE("carriage returns before line ends and a byte order mark are no part of a field") {
    const CsvText read = read_csv("\xEF\xBB\xBF"
                                  "a,b\r\n1,\"2\"\r\n",
                                  "file");
    REQUIRE(read.records.size() == 2);
    CHECK(read.records[0].fields == Fields{"a", "b"});
    CHECK(read.records[1].fields == Fields{"1", "2"});
}

TEST_CASE("wherever a file is cut, whole records stay and the torn one goes") {
    const std::string first = "run,seconds\n", second = "\"a\"\"b\nc\",12.5\n";
    const std::string text = first + second;
    for (std::size_t length = 0; length <= text.size(); ++length) {
        CAPTURE(length);
        const CsvText read = read_csv(std::string_view(text).substr(0, length), "file");
        const std::size_t whole = (length >= first.size() ? 1 : 0) + (length >= text.size() ? 1 : 0);
        CHECK(read.records.size() == whole);
        const bool torn = length != 0 && length != first.size() && length != text.size();
        CHECK(read.torn_line == (!torn ? 0 : length < first.size() ? 1 : 2));
    }
}

TEST_CASE("a quote where none may be is an error that names file and line") {
    for (const std::string text : {"a\nb\"c\n", "a\n\"b\"c\n", "a\nb\rc\n"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH_AS(read_csv(text, "file"), doctest::Contains("file:2: not a CSV line ("), Error);
    }
}

} // namespace
} // namespace hogwild
