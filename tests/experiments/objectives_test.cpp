#include "experiments/objectives.h"

#include "engine/data/load.h"
#include "engine/error.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace hogwild {
namespace {

const std::pair<const char*, const char*> kReasons[] = {
    {"factorization", "its loss is not convex, and nothing certifies an optimum"},
    {"skipgram", "its loss is not convex, and nothing certifies an optimum"},
    {"cut", "its loss is convex, but nothing here certifies an optimum"},
};

TEST_CASE("a target as a gap is refused where nothing certifies an optimum, for the reason that the problem has") {
    const Dataset unread = load("synthetic:rows=10,features=5,nonzeros=2", {});
    RunOptions options;
    options.target = TargetOption{0.01, true};
    for (const auto& [problem, why] : kReasons) {
        Plan plan;
        plan.problem = problem;
        const std::string expected = std::string("no target can be fixed for ") + problem + " by a gap (" + why +
                                     "); give the target as a loss, --target 0.3";
        CHECK_THROWS_WITH_AS(Objectives(options, {plan}, unread), expected.c_str(), Error);
    }
}

TEST_CASE("an optimum that is asked for and cannot be known is a note, not an end") {
    const Dataset unread = load("synthetic:rows=10,features=5,nonzeros=2", {});
    RunOptions options;
    options.optimum = true;
    for (const auto& [problem, why] : kReasons) {
        Plan plan;
        plan.problem = problem;
        const Objectives objectives(options, {plan}, unread);
        REQUIRE(objectives.notes().size() == 1);
        CHECK(objectives.notes()[0] == std::string("optimum of ") + problem + ": unknown, " + why);
    }
}

} // namespace
} // namespace hogwild
