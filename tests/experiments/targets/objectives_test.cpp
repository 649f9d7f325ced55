#include "engine/plan/plan.h"
#include "experiments/targets/objectives.h"

#include "engine/data/load.h"
#include "engine/error.h"

#include <doctest/doctest.h>

#include <string>

namespace hogwild {
namespace {

struct Reason {
    const char *problem, *why, *score;
};
const Reason kReasons[] = {
    {"factorization", "its loss is not convex, and nothing certifies an optimum", "test_rmse"},
    {"skipgram", "its loss is not convex, and nothing certifies an optimum", "spearman_men"},
    {"cut", "its loss is convex, but nothing here certifies an optimum", "cut_value"},
};

TEST_CASE("a target as a gap is refused where nothing certifies an optimum, for the reason that the problem has") {
    const Dataset unread = load("synthetic:rows=10,features=5,nonzeros=2", {});
    RunOptions options;
    options.target = TargetOption{0.01, true};
    for (const auto& [problem, why, score] : kReasons) {
        Plan plan;
        plan.problem = problem;
        const std::string expected = std::string("no target can be fixed for ") + problem + " by a gap (" + why +
                                     "); give the target as a loss, --target 0.3, or as a score, --target " + score +
                                     ":X";
        CHECK_THROWS_WITH_AS(Objectives(options, {plan}, unread, false), expected.c_str(), Error);
    }
}

TEST_CASE("an optimum that is asked for and cannot be known is a note, not an end") {
    const Dataset unread = load("synthetic:rows=10,features=5,nonzeros=2", {});
    RunOptions options;
    options.optimum = true;
    for (const auto& [problem, why, score] : kReasons) {
        Plan plan;
        plan.problem = problem;
        const Objectives objectives(options, {plan}, unread, false);
        REQUIRE(objectives.notes().size() == 1);
        CHECK(objectives.notes()[0] == std::string("optimum of ") + problem + ": unknown, " + why);
    }
}

/// Why a score can be no target of a problem on these samples; empty: it is one, and is what the target is of.
std::string refused(const char* problem, const char* score, const char* data, std::string_view samples, bool tested) {
    LoadOptions load_options;
    load_options.samples = samples;
    RunOptions options;
    options.target = TargetOption{0.5, false, score};
    Plan plan;
    plan.problem = problem;
    const Dataset train = load(data, load_options);
    try {
        const Objectives objectives(options, {plan}, train, tested);
        CHECK(objectives.of(plan).target == 0.5);
        CHECK(objectives.of(plan).target_of == score);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST_CASE("a score is a target where the problem has it and the samples give it, else no run begins") {
    const char *rows = "synthetic:tiny", *ratings = "synthetic:tiny", *graph = "synthetic:grid=4x4";
    const auto holds = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(refused("hinge", "test_error", rows, SparseView::kSamples, true) == "");
    CHECK(holds(refused("hinge", "test_error", rows, SparseView::kSamples, false), "there are no test samples"));
    CHECK(holds(refused("hinge", "test_rmse", rows, SparseView::kSamples, true), "hinge is scored by test_error"));
    CHECK(refused("factorization", "test_rmse", ratings, RatingsView::kSamples, true) == "");
    CHECK(refused("cut", "cut_value", graph, EdgesView::kSamples, false) == "");
    CHECK(holds(refused("skipgram", "analogy_accuracy", "synthetic:words,tokens=1000,words=50,topics=2",
                        TokensView::kSamples, false),
                "analogies"));
}

} // namespace
} // namespace hogwild
