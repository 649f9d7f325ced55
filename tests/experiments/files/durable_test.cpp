#include "experiments/files/durable.h"

#include "engine/error.h"
#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

/// A folder of ours, and a file beside it that planted links lead to.
struct Planted {
    Scratch scratch;
    fs::path folder = scratch.path / "folder", victim = scratch.path / "victim";
    Planted() {
        make_folder(folder);
        std::ofstream(victim) << "precious";
    }
    void check_untouched() const { CHECK(text_of(victim) == "precious"); }
};

TEST_CASE("no writer of our files follows a link that somebody planted") {
    const Planted planted;
    const fs::path file = planted.folder / "file";
    fs::create_symlink(planted.victim, file);
    CHECK_THROWS_AS(write_file(file, "new"), Error);
    CHECK_THROWS_AS(AppendFile{file}, Error);
    CHECK_THROWS_AS(AppendFile(file, AppendFile::Start::kAnywhere), Error);
    fs::create_symlink(planted.victim, planted.folder / ".file"); // where it is written before it gets its name
    replace_file(file, "new");
    CHECK(text_of(file) == "new");
    CHECK_FALSE(fs::is_symlink(file));
    planted.check_untouched();
}

TEST_CASE("a folder that begins empty holds no link, and is no link") {
    const Planted planted;
    const fs::path inner = planted.folder / "inner";
    make_folder(inner);
    fs::create_symlink(planted.victim, inner / "manifest.json");
    make_empty_folder(inner);
    CHECK(fs::is_empty(inner));
    fs::remove(inner);
    fs::create_directory_symlink(planted.scratch.path, inner);
    make_empty_folder(inner);
    CHECK_FALSE(fs::is_symlink(inner));
    CHECK(fs::is_empty(inner));
    CHECK(fs::status(inner).permissions() == fs::perms::owner_all);
    planted.check_untouched();
}

TEST_CASE("a file that cannot be replaced is what it was") {
    const Planted planted;
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{4, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &full) == 0);
    CHECK_THROWS_AS(replace_file(planted.victim, "longer than four bytes"), Error);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, handler);
    planted.check_untouched();
}

TEST_CASE("a pipe where a file grows is refused and not waited for") {
    const Planted planted;
    const fs::path pipe = planted.folder / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK_THROWS_AS(AppendFile(pipe, AppendFile::Start::kAnywhere), Error);
}

} // namespace
} // namespace hogwild
