#include "experiments/text/stored_text.h"

#include "tests/scratch.h"

#include <doctest/doctest.h>

#include <cerrno>

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

} // namespace
} // namespace hogwild
