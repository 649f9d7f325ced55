// hogwild report, as a user calls it.
#include "tests/experiments/program.h"

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

TEST_CASE("a folder whose name looks like an option is a folder") {
    const Scratch scratch;
    const Finished child = call({"report", "--", "--size"}, scratch.path);
    CHECK(child.code == 69);
    CHECK(holds(child.error, "--size: no such folder"));
}

TEST_CASE("a size that nobody knows is a usage error") {
    const Scratch scratch;
    CHECK(call({"report", "out", "--size", "poster"}, scratch.path).code == 2);
}

} // namespace
} // namespace hogwild
