#include "engine/data/files/named_file.h"

#include "engine/error.h"
#include "tests/engine/data/scratch.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace hogwild {
namespace {

namespace fs = std::filesystem;

void write_to(const std::string& path, std::string_view text = "new\n") {
    NamedFile file(path);
    file.write(text);
    file.commit();
}

void check_refused(const std::string& path, const char* why) {
    CHECK_THROWS_WITH_AS(check_named_file(path), doctest::Contains(why), Error);
    CHECK_THROWS_WITH_AS(NamedFile{path}, doctest::Contains(why), Error);
}

TEST_CASE("links are followed, to a file that is there and to one that is not, and stay links") {
    const ScratchFiles scratch;
    scratch.write("there", "old\n");
    fs::create_directory(scratch.path("folder"));
    fs::create_symlink("there", scratch.path("one"));
    fs::create_symlink(scratch.path("one"), scratch.path("two")); // a link to a link
    fs::create_symlink("folder/absent", scratch.path("dangling"));
    for (const char* link : {"one", "two", "dangling"}) {
        check_named_file(scratch.path(link));
        write_to(scratch.path(link), link);
        CHECK(fs::is_symlink(scratch.path(link)));
        CHECK(text_of(scratch.path(link)) == link);
    }
    CHECK(text_of(scratch.path("there")) == "two");
    CHECK(text_of(scratch.path("folder/absent")) == "dangling");
    CHECK(scratch.files() == 5); // and nothing unfinished
}

TEST_CASE("links in a circle, folders and files with other names are refused as they are") {
    const ScratchFiles scratch;
    fs::create_symlink("b", scratch.path("a"));
    fs::create_symlink("a", scratch.path("b"));
    check_refused(scratch.path("a"), "cannot write");
    fs::create_directory(scratch.path("folder"));
    check_refused(scratch.path("folder"), "it is a folder");
    scratch.write("file", "old\n");
    fs::create_hard_link(scratch.path("file"), scratch.path("other"));
    check_refused(scratch.path("file"), "it has 2 names");
    CHECK(text_of(scratch.path("other")) == "old\n");
    check_refused(scratch.path("nowhere/file"), "cannot write");
    CHECK(scratch.files() == 5);
}

TEST_CASE("a file that is given up is what it was, and one that is replaced keeps its permissions") {
    const ScratchFiles scratch;
    const std::string path = scratch.write("file", "old\n");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    check_named_file(path);
    {
        NamedFile file(path);
        file.write("half");
    }
    CHECK(text_of(path) == "old\n");
    write_to(path);
    CHECK(text_of(path) == "new\n");
    CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    CHECK(scratch.files() == 1);
}

TEST_CASE("a pipe is written in place and stays one") {
    const ScratchFiles scratch;
    const std::string path = scratch.path("pipe");
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    check_named_file(path); // without a reader: it does not wait
    std::string read;
    std::thread reader([&] { read = text_of(path); });
    write_to(path);
    reader.join();
    CHECK(read == "new\n");
    CHECK(fs::is_fifo(path));
}

TEST_CASE("a device is written in place and stays one") {
    const ScratchFiles scratch; // devices of this test: the machine's own would pay for a fault
    const std::string full = scratch.path("full");
    if (mknod(full.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) {
        MESSAGE("skipped: no device can be made here; to run it: be root, on a file system that has devices");
        return;
    }
    CHECK_THROWS_WITH_AS(write_to(full), doctest::Contains("cannot write"), Error);
    CHECK(fs::is_character_file(full));
}

TEST_CASE("a descriptor of this process is gone on with where it is") {
    const ScratchFiles scratch;
    const std::string path = scratch.write("file", "");
    const int file = open(path.c_str(), O_WRONLY);
    REQUIRE(file >= 0);
    REQUIRE(write(file, "before ", 7) == 7);
    const std::string name = "/dev/fd/" + std::to_string(file);
    check_named_file(name);
    write_to(name, "between ");
    REQUIRE(write(file, "after", 5) == 5);
    close(file);
    CHECK(text_of(path) == "before between after");
    check_refused(name, "cannot write");
}

} // namespace
} // namespace hogwild
