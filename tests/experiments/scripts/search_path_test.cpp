#include "experiments/scripts/search_path.h"

#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace hogwild {
namespace {

TEST_CASE("what depends on where one stands is no part of a search path") {
    CHECK(absolute_parts(".:/a::b/c:/b:") == "/a:/b");
    CHECK(absolute_parts("/a") == "/a");
    CHECK(absolute_parts(":").empty());
    CHECK(absolute_parts("").empty());
}

TEST_CASE("a program is the first of its name that may be run") {
    const Scratch scratch;
    namespace fs = std::filesystem;
    const std::string first = scratch.path / "first", second = scratch.path / "second";
    for (const std::string& folder : {first, second}) {
        fs::create_directory(folder);
        std::ofstream(folder + "/program") << "#!/bin/sh\n";
    }
    fs::permissions(second + "/program", fs::perms::owner_all);
    CHECK(program_in(first + ":" + second, "program") == second + "/program");
    CHECK(program_in(first, "program").empty());
    CHECK(program_in("", "program").empty());
}

} // namespace
} // namespace hogwild
