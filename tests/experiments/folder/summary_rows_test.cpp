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

TEST_CASE("a run that has no folder's name, or no status that a run ends with, is refused with its line") {
    const Scratch scratch;
    const auto said = [&](const std::string& run, const std::string& status) {
        write(scratch.path / "summary.csv", "run,status\n1,done\n\"" + run + "\"," + status + "\n");
        try {
            read_summary(scratch.path.string(), {"run"});
            return std::string();
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    for (const char* run :
         {"../R6/1-serial-s1", "/tmp/x", "a/b", "..", ".", "", ".hidden", "a\x1b[2J", "a\nb", "tuning/1"}) {
        CAPTURE(run);
        CHECK(said(run, "done").find("it is no folder of a run") != std::string::npos);
        CHECK(said(run, "done").find('\x1b') == std::string::npos);
    }
    CHECK(said("2", "finished").find("summary.csv:3: status 'finished' is odd (it is no way that a run ends)") !=
          std::string::npos);
    CHECK(said("2", "").find("status '' is odd") != std::string::npos);
    for (const char* status : {"done", "diverged", "interrupted", "failed"}) CHECK(said("2", status).empty());
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
