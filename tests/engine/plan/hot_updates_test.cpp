#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"

#include "engine/error.h"
#include "engine/memory/viewed_pages.h"
#include "tests/engine/toys/toy_run.h"

#include <doctest/doctest.h>

#include <string>

using namespace hogwild;

namespace {

Plan hot_plan(const std::string& updates = "delayed") {
    Plan plan = toy_plan("hogwild", 2);
    plan.hot.updates = updates;
    plan.hot.count = 64;
    plan.placement = "hot-first";
    return plan;
}

} // namespace

TEST_CASE("hot coordinates are whole cache lines of those that there are") {
    Plan plan = hot_plan();
    for (const auto& [hot, of_all] :
         {std::pair{1u, 16u}, {16u, 16u}, {17u, 32u}, {64u, 64u}, {90u, 96u}, {101u, 100u}}) {
        plan.hot.count = hot;
        CHECK(hot_coordinates(plan, 100) == of_all);
    }
    plan.hot.updates = "direct";
    CHECK(hot_coordinates(plan, 100) == 0);
}

TEST_CASE("hot coordinates that lie by groups are whole pages of those that there are") {
    const auto page = static_cast<std::uint32_t>(page_size() / sizeof(float));
    for (const std::string problem : {"factorization", "skipgram", "cut"}) {
        Plan plan = hot_plan("replicated");
        plan.problem = problem;
        for (const auto& [hot, of_all] :
             {std::pair{1u, page}, {page, page}, {page + 1, 2 * page}, {9 * page, 5 * page / 2}}) {
            plan.hot.count = hot;
            CHECK(hot_coordinates(plan, 5 * page / 2) == of_all);
        }
    }
}

TEST_CASE("what hot coordinates cannot go with is refused, with a reason and what to do") {
    for (const std::string updates : {"delayed", "thinned", "replicated"}) CHECK(why_not(hot_plan(updates)) == "");
    const auto why = [](const auto& change, const std::string& updates = "delayed") {
        Plan plan = hot_plan(updates);
        change(plan);
        return why_not(plan);
    };
    CHECK(why([](Plan& plan) { plan.scheme = "local-sgd"; }) ==
          "local-sgd has no choice of increments of hot coordinates; use --hot-updates direct");
    CHECK(why([](Plan& plan) { plan.problem = "network"; }) ==
          "a step on a network touches all coordinates, so none is hotter than another; use --hot-updates direct, or "
          "--scheme async-local-sgd for replicas of all");
    CHECK(why([](Plan& plan) { plan.problem = "cut"; }) ==
          "increments of a cut's nodes that several workers collect take them out of the simplex, and their ways back "
          "add up too; use --hot-updates replicated");
    CHECK(why([](Plan& plan) { plan.problem = "skipgram"; }, "thinned") ==
          "skipgram steps have no form that leaves out increments; use --hot-updates replicated");
    for (const std::string problem : {"factorization", "skipgram", "cut"}) {
        const auto on = [&](Plan& plan) {
            plan.problem = problem;
            plan.placement = "stored";
        };
        CHECK(why(on, "replicated") == "");
        if (problem != "cut") CHECK(why(on, "delayed") == "");
    }
    CHECK(why([](Plan& plan) { plan.device = "gpu"; }) ==
          "increments of hot coordinates are a choice of CPU threads, a GPU's blocks copy them; use --hot-updates "
          "direct");
    CHECK(why([](Plan& plan) { plan.memory = "mapped"; }) ==
          "pages of a worker's own lie in ordinary memory; use --memory host");
    CHECK(why([](Plan& plan) { plan.guard = "locked"; }) ==
          "guard locked holds coordinates that all workers share, as delayed ones are not; use --guard none");
    CHECK(why([](Plan& plan) { plan.update = "noop"; }, "thinned") ==
          "noop writes nothing that could be thinned; use another --update");
    CHECK(why([](Plan& plan) { plan.telemetry = "sampled"; }) ==
          "telemetry is of increments that are written as they come, not delayed; use --telemetry off");
    CHECK(why([](Plan& plan) { plan.hot.count = 0; }, "replicated") ==
          "of 0 hot coordinates nothing is replicated; use --hot 64, or --hot-updates direct");
    CHECK(why([](Plan& plan) { plan.placement = "hot-apart"; }) ==
          "hot coordinates are those that come first; use --placement hot-first or hottest");
    for (const std::uint32_t period : {0u, 65'537u}) {
        CHECK(why([&](Plan& plan) { plan.exchange.period = period; }, "thinned") ==
              "of increments that are thinned one in 1 to 65536 is written; use --exchange 4");
    }
    CHECK(why([](Plan& plan) { plan.delay = 1e-6; }, "thinned") ==
          "thinned steps have no form that is delayed; use --delay 0");
    CHECK(why([](Plan& plan) { plan.staleness.rule = "drop"; }, "thinned") ==
          "thinned steps know no rule for stale ones; use --staleness-rule none");
    Plan plan = hot_plan("often");
    CHECK_THROWS_WITH_AS(validate(plan),
                         "unknown hot-updates 'often' (known: direct, delayed, thinned, replicated); use one of these",
                         Error);
}

TEST_CASE("the text and hash of a plan have its hot updates, and are what they were without") {
    Plan direct = toy_plan("hogwild", 2), delayed = direct, replicated = direct;
    delayed.hot.updates = "delayed";
    replicated.hot.updates = "replicated";
    replicated.exchange.combine = "average";
    for (const auto& [name, text] : fields(direct)) CHECK(name != "hot_updates");
    CHECK(fields(direct).size() + 1 == fields(delayed).size());
    CHECK(hash(direct) != hash(delayed));
    CHECK(plan_of(fields(delayed)).hot.updates == "delayed");
    CHECK(plan_of(fields(replicated)).exchange.combine == "average");
    CHECK(plan_of(fields(direct)).hot.updates == "direct");
}
