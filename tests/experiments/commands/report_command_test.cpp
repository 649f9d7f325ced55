// hogwild report, as a user calls it.
#include "experiments/folder/result.h"
#include "tests/experiments/program.h"
#include "tests/experiments/summaries.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace hogwild {
namespace {

TEST_CASE("a folder that hogwild run wrote becomes one page") {
    const Scratch scratch;
    REQUIRE(run_tiny(scratch.path, {"--scheme", "serial,hogwild", "--threads", "1"}).code == 0);
    const Finished child = call({"report", "out", "--size", "column"}, scratch.path);
    CHECK(child.code == 0);
    CHECK(child.out == "out/report.html\n");
    std::ifstream file(scratch.path / "out" / "report.html");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    CHECK(holds(page, "-hogwild-racy-t1-s1"));
    CHECK(holds(page, "hogwild report out --size column"));
    CHECK(fs::exists(scratch.path / "out" / "figures" / "loss.pdf"));
}

TEST_CASE("the page of runs with a target, serial code and three seeds has verdicts") {
    const Scratch scratch;
    made_up_folder(scratch.path / "out", five_seeds(0.5));
    CHECK(call({"report", "out", "--size", "column"}, scratch.path).code == 0);
    std::ifstream file(scratch.path / "out" / "report.html");
    CHECK(holds({std::istreambuf_iterator<char>(file), {}}, "FASTER"));
}

TEST_CASE("a folder whose name looks like an option is a folder") {
    const Scratch scratch;
    const Finished child = call({"report", "--", "--size"}, scratch.path);
    CHECK(child.code == 69);
    CHECK(holds(child.error, "--size is not there"));
}

TEST_CASE("a folder without results is refused in the words of hogwild compare") {
    const Scratch scratch;
    fs::create_directories(scratch.path / "empty");
    fs::create_directories(scratch.path / "rowless");
    std::ofstream(scratch.path / "rowless" / "summary.csv", std::ios::binary) << summary_header();
    std::ofstream(scratch.path / "file", std::ios::binary) << "text";
    for (const char* folder : {"empty", "rowless", "file", "absent"}) {
        const std::string said = call({"compare", folder}, scratch.path).error;
        CHECK(said.starts_with("hogwild: "));
        CHECK(call({"report", folder}, scratch.path).error == said);
        CHECK(call({"export", folder, "--mlflow", "out"}, scratch.path).error == said);
    }
}

TEST_CASE("a size that nobody knows is a usage error") {
    const Scratch scratch;
    CHECK(call({"report", "out", "--size", "poster"}, scratch.path).code == 2);
}

} // namespace
} // namespace hogwild
