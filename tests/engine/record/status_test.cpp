#include "engine/record/status.h"

#include "engine/record/outcome.h"

#include <doctest/doctest.h>

#include <set>

namespace hogwild {
namespace {

TEST_CASE("a run ends in one way: each status has its own name and one of the four properties") {
    std::set<std::string_view> names;
    for (const StatusTraits& status : kStatuses) {
        CHECK_MESSAGE(names.insert(status.name).second, status.name);
        CHECK_MESSAGE(status.done + status.diverged + status.interrupted + status.failed == 1, status.name);
        CHECK_MESSAGE(status_traits(status.name).name == status.name, status.name);
    }
}

TEST_CASE("files and other tools know statuses by these names") {
    CHECK(status_traits("done").done);
    CHECK(status_traits("diverged").diverged);
    CHECK(status_traits("interrupted").interrupted);
    CHECK(status_traits("failed").failed);
}

TEST_CASE(
    "a run that nobody stopped and that met no error has ended by itself; one that diverged or failed is hopeless") {
    CHECK(kDoneStatus.ended_by_itself());
    CHECK(kDivergedStatus.ended_by_itself());
    CHECK_FALSE(kInterruptedStatus.ended_by_itself());
    CHECK_FALSE(kFailedStatus.ended_by_itself());
    CHECK_FALSE(kDoneStatus.is_hopeless());
    CHECK(kDivergedStatus.is_hopeless());
    CHECK_FALSE(kInterruptedStatus.is_hopeless());
    CHECK(kFailedStatus.is_hopeless());
}

TEST_CASE("a status that no row has, has no property, and a run is done until somebody says otherwise") {
    for (const char* name : {"", "left out", "Done"}) {
        const StatusTraits status = status_traits(name);
        CHECK_FALSE(status.ended_by_itself());
        CHECK_FALSE(status.is_hopeless());
        CHECK_FALSE(status.interrupted);
    }
    CHECK(status_traits(Outcome{}.status).done);
}

} // namespace
} // namespace hogwild
