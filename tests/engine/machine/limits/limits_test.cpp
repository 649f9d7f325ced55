#include "engine/machine/limits/limits.h"

#include "tests/engine/machine/fake_mount.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

using namespace hogwild;

namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a limit of descriptors is named, and what is none keeps the system's text") {
    CHECK(holds(reason_of(EMFILE), "the limit of descriptors of this process is met"));
    CHECK(holds(reason_of(ENFILE), "the limit of the whole system is met"));
    CHECK(holds(remedy_of(EMFILE, "choose another folder"), "raise the limit"));
    CHECK(holds(remedy_of(ENFILE, "choose another folder"), "fs.file-max"));
    CHECK(reason_of(ENOENT) == std::strerror(ENOENT));
    CHECK(remedy_of(ENOENT, "check the path") == "check the path");
}

TEST_CASE("of processes the user's limit and the tightest of the groups are told, with their names") {
    const FakeMount mount;
    mount.write("a/pids.max", "50");
    mount.write("a/b/pids.max", "max");
    const std::string both = limits_of_processes(64, "0::/a/b\n", mount.root());
    CHECK(both == ", this user may have 64 (ulimit -u), its control group 50 (pids.max)");
    mount.write("a/b/pids.max", "7");
    CHECK(holds(limits_of_processes({}, "0::/a/b\n", mount.root()), "its control group 7 (pids.max)"));
    const FakeMount first;
    first.write("pids/a/pids.max", "9");
    CHECK(holds(limits_of_processes({}, "8:pids:/a\n", first.root()), "its control group 9 (pids.max)"));
}

TEST_CASE("a thread that the system does not give is a limit, not an internal error") {
    const Error named = error_of(std::system_error(EAGAIN, std::generic_category()));
    CHECK(holds(named.what(), "a limit of processes and threads is met"));
    CHECK(holds(named.what(), "ask for fewer threads"));
}

TEST_CASE("a file that the system refuses is named") {
    namespace fs = std::filesystem;
    const Error named = error_of(fs::filesystem_error("status", "dir/name", {EACCES, std::generic_category()}));
    CHECK(named.failure() == Failure::kDisk);
    CHECK(holds(named.what(), "cannot use dir/name (Permission denied)"));
}
