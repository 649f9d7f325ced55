#include "engine/data/files/own_folder.h"

#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <fstream>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

TEST_CASE("folders that are made are the user's alone, and those that are there stay as they are") {
    const Scratch scratch;
    fs::create_directory(scratch.path / "there");
    fs::permissions(scratch.path / "there", fs::perms::all);
    CHECK_FALSE(make_own_folder(scratch.path / "there" / "a" / "b" / ""));
    CHECK_FALSE(make_own_folder(scratch.path / "there" / "a" / "b"));
    CHECK(fs::status(scratch.path / "there").permissions() == fs::perms::all);
    for (const char* made : {"a", "a/b"})
        CHECK(fs::status(scratch.path / "there" / made).permissions() == fs::perms::owner_all);
}

TEST_CASE("a file where a folder should be is an error, and so is what the system refuses") {
    const Scratch scratch;
    std::ofstream(scratch.path / "file") << "x";
    CHECK(make_own_folder(scratch.path / "file") == std::errc::not_a_directory);
    CHECK(make_own_folder(scratch.path / "file" / "below") == std::errc::not_a_directory);
    CHECK(make_own_folder("/proc/no/such/folder"));
}

} // namespace
} // namespace hogwild
