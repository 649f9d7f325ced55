#include "experiments/text/stored_text.h"

#include "tests/scratch.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cerrno>
#include <string>
#include <utility>

#include <sys/stat.h>

namespace hogwild {
namespace {

TEST_CASE("the text of a regular file is read whole, and of anything else nothing, without waiting") {
    const Scratch scratch;
    const std::string long_text(100'000, 'x');
    std::ofstream(scratch.path / "long") << long_text;
    std::ofstream(scratch.path / "empty").close();
    CHECK(stored_text(scratch.path / "long") == long_text);
    CHECK(stored_text(scratch.path / "empty") == "");
    REQUIRE(mkfifo((scratch.path / "pipe").c_str(), 0600) == 0); // nobody writes to it
    CHECK_FALSE(stored_text(scratch.path / "pipe"));
    CHECK(errno == EINVAL);
    CHECK_FALSE(stored_text(scratch.path / "absent"));
    CHECK(errno == ENOENT);
    CHECK_FALSE(stored_text(scratch.path));
    CHECK(errno == EISDIR);
}

TEST_CASE("a file that is needed is a regular one, or the error says what lies there") {
    const Scratch scratch;
    REQUIRE(mkfifo((scratch.path / "pipe").c_str(), 0600) == 0);
    std::ofstream(scratch.path / "file") << "text";
    CHECK(needed_text(scratch.path / "file", Failure::kDisk, "") == "text");
    need_regular_file(scratch.path / "file", Failure::kDisk, "");
    for (const auto& [name, why] : {std::pair("pipe", "it is no regular file"), std::pair(".", "it is a folder"),
                                    std::pair("absent", "No such file or directory")}) {
        const std::string message = fmt::format("cannot read {} ({}); look", (scratch.path / name).string(), why);
        CHECK_THROWS_WITH_AS(needed_text(scratch.path / name, Failure::kDisk, "look"), message.c_str(), Error);
        CHECK_THROWS_WITH_AS(need_regular_file(scratch.path / name, Failure::kDisk, "look"), message.c_str(), Error);
    }
}

} // namespace
} // namespace hogwild
