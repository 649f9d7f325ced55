#include "experiments/folder/summary_rows.h"

#include "engine/error.h"
#include "tests/engine/data/compress.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <fstream>

namespace hogwild {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

TEST_CASE("a compressed summary has the rows of the plain one, which is read where both are there") {
    const Scratch scratch;
    std::string text = "run,scheme\n";
    for (int i = 0; i < 20'000; ++i) text += "run-" + std::to_string(i) + ",hogwild\n";
    write(scratch.path / "summary.csv.gz", gzip(text));
    const Summary packed = read_summary(scratch.path.string(), {"run"});
    REQUIRE(packed.rows.size() == 20'000);
    CHECK(packed.rows.back().text("run") == "run-19999");
    CHECK(packed.rows.back().place == (scratch.path / "summary.csv.gz").string() + ":20001");
    write(scratch.path / "summary.csv", "run,scheme\nplain,serial\n");
    CHECK(read_summary(scratch.path.string(), {"run"}).rows.at(0).text("run") == "plain");
}

TEST_CASE("a damaged compressed summary is an error, not fewer rows") {
    const Scratch scratch;
    const std::string stored = gzip("run,scheme\n1,serial\n2,serial\n");
    write(scratch.path / "summary.csv.gz", stored.substr(0, stored.size() - 12));
    CHECK_THROWS_AS(read_summary(scratch.path.string(), {"run"}), Error);
}

TEST_CASE("a column that an older program did not write is empty") {
    const Scratch scratch;
    write(scratch.path / "summary.csv", "run,scheme\n1,serial\n");
    const Summary summary = read_summary(scratch.path.string(), {"run"});
    CHECK(summary.rows.at(0).text("combine").empty());
    CHECK_FALSE(summary.rows.at(0).number("coupling"));
}

} // namespace
} // namespace hogwild
