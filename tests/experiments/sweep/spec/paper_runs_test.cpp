#include "engine/plan/plan.h"
#include "experiments/sweep/spec/paper_runs.h"

#include <doctest/doctest.h>

using namespace hogwild;

namespace {

using Settings = std::vector<Setting>;

Plan two_threads() {
    Plan plan;
    plan.problem = "logistic";
    plan.scheme = "hogwild";
    plan.threads = 2;
    plan.l2 = 1e-4;
    return plan;
}

/// Whether a number that is about such runs is about one of `plan`.
bool is_about(const Settings& where, const Plan& plan) {
    PaperRuns papers({{where, {}}});
    papers.add(plan, "synthetic:tiny");
    return papers.notes().empty();
}

} // namespace

TEST_CASE("a publication's number is about a run that has all of its values, numbers as numbers") {
    CHECK(is_about({}, two_threads()));
    CHECK(is_about({{"scheme", "hogwild"}, {"threads", "2"}, {"l2", "0.0001"}, {"data", "synthetic:tiny"}},
                   two_threads()));
    CHECK(!is_about({{"scheme", "hogwild"}, {"threads", "4"}}, two_threads()));
    CHECK(!is_about({{"scheme", "serial"}, {"threads", "2"}}, two_threads()));
}

TEST_CASE("what means nothing for a run is none of it") {
    Plan ruled = two_threads();
    ruled.staleness.rule = "inverse";
    CHECK(is_about({{"staleness-rule", "none"}}, two_threads()));
    CHECK(!is_about({{"staleness-rule", "none"}}, ruled));
    CHECK(is_about({{"staleness-rule", "inverse"}}, ruled));
    CHECK(!is_about({{"staleness-limit", "0"}}, two_threads()));
}

TEST_CASE("each table that no run fits is said once, of a ratio that of either side") {
    const Settings ten{{"scheme", "hogwild"}, {"threads", "10"}}, two{{"threads", "2"}},
        turns{{"scheme", "round-robin"}};
    PaperRuns papers({{ten, turns}, {two, turns}, {two, {}}});
    papers.add(two_threads(), "synthetic:tiny");
    const std::string note = "note: a [[paper]] fits no run (";
    CHECK(papers.notes() ==
          std::vector<std::string>{note + "scheme = hogwild, threads = 10); the report will have nothing beside it",
                                   note + "scheme = round-robin); the report will have nothing beside it"});
}
