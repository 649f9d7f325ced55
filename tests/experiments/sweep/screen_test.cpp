#include "experiments/sweep/screen.h"

#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "tests/source_dir.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

using namespace hogwild;

namespace {

struct Screening {
    std::vector<Combination> combinations;
    std::vector<Chosen> chosen;

    void add(const std::string& scheme, std::optional<double> seconds, double loss = 0.5,
             const std::string& problem = "hinge", unsigned threads = 2) {
        Plan plan;
        plan.scheme = scheme;
        plan.problem = problem;
        plan.threads = threads;
        combinations.push_back({{}, {{{}, plan}}});
        chosen.push_back({.seconds = seconds, .loss = loss, .score = {}});
    }

    std::vector<std::size_t> kept(const ByKind& screen) const { return screened(screen, combinations, chosen).kept; }
};

using Kept = std::vector<std::size_t>;

} // namespace

TEST_CASE("the description of sweep files names every scheme whose workers wait, and no other") {
    std::ifstream file(source_dir() / "docs/reference/sweep-file.md");
    REQUIRE(file);
    std::string line, expected;
    for (const SchemeTraits* const scheme : all_schemes()) {
        if (scheme->kind == SchemeKind::kSync) expected += (expected.empty() ? "" : ", ") + std::string(scheme->name);
    }
    while (std::getline(file, line) && !line.starts_with("# sync = ")) continue;
    const std::string begin = "workers wait for each other: ";
    REQUIRE(line.find(begin) != std::string::npos);
    CHECK(line.substr(line.find(begin) + begin.size()) == expected);
}

TEST_CASE("of each kind as many schemes are kept as the screen says, each with all its combinations") {
    Screening trials;
    trials.add("serial", 5);
    trials.add("minibatch", 4);
    trials.add("local-sgd", 6);
    trials.add("local-sgd", 1); // its best counts
    trials.add("round-robin", 2);
    trials.add("hogwild", 9);
    trials.add("async-local-sgd", 3);
    CHECK(trials.kept({{"serial", 1}, {"sync", 2}, {"async", 1}}) == Kept{0, 2, 3, 4, 6});
    CHECK(trials.kept({{"sync", 1}}) == Kept{0, 2, 3, 5, 6}); // a kind that is not named keeps all
    CHECK(trials.kept({{"sync", 9}, {"async", 0}}) == Kept{0, 1, 2, 3, 4});
    CHECK(trials.kept({}) == Kept{0, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("schemes that know L1 are screened beside those that do not") {
    Screening trials;
    trials.add("saga", 9, 0.5, "logistic");
    trials.add("hogwild", 3, 0.5, "logistic");
    trials.add("svrg", 9, 0.5, "logistic");
    trials.add("local-sgd", 3, 0.5, "logistic");
    CHECK(trials.kept({{"sync", 1}, {"async", 1}}) == Kept{1, 3});
}

TEST_CASE("how fast a scheme is with one worker does not count, where it ran with more") {
    Screening trials;
    trials.add("round-robin", 1, 0.5, "hinge", 1);
    trials.add("round-robin", 50);
    trials.add("local-sgd", 3, 0.5, "hinge", 1);
    trials.add("local-sgd", 2);
    CHECK(trials.kept({{"sync", 1}}) == Kept{2, 3});
}

TEST_CASE("who never got there comes behind who did, and by its loss; every problem is screened by itself") {
    Screening trials;
    trials.add("minibatch", std::nullopt, 0.1);
    trials.add("local-sgd", 100, 0.9);
    trials.add("round-robin", std::nullopt, 0.2);
    CHECK(trials.kept({{"sync", 1}}) == Kept{1});
    CHECK(trials.kept({{"sync", 2}}) == Kept{0, 1});
    trials.add("minibatch", 1, 0.1, "logistic");
    trials.add("local-sgd", 2, 0.1, "logistic");
    CHECK(trials.kept({{"sync", 1}}) == Kept{1, 3});
    CHECK(screened({{"sync", 1}}, trials.combinations, trials.chosen).notes.size() == 2);
}
