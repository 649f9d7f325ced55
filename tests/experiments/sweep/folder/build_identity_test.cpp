#include "experiments/sweep/folder/build_identity.h"

#include "tests/scratch.h"

#include <string>

using namespace hogwild;

TEST_CASE("builds of changed or unknown sources are told apart by their files, others by their commits") {
    const Scratch scratch;
    const auto one = scratch.path / "one", same = scratch.path / "same", other = scratch.path / "other";
    std::ofstream(one) << "a program";
    std::ofstream(same) << "a program";
    std::ofstream(other) << "another program";
    for (const std::string commit : {"4f2a+dirty", "unknown"}) {
        CHECK(build_identity(commit, one) == build_identity(commit, same));
        CHECK(build_identity(commit, one) != build_identity(commit, other));
        CHECK(build_identity(commit, one).starts_with(commit + '.'));
        CHECK(build_identity(commit, scratch.path / "none") == commit);
    }
    CHECK(build_identity("4f2a", one) == "4f2a");
}
