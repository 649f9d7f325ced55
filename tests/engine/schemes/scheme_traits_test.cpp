// Laws of the rows of schemes (engine/plan/scheme_traits.h).
#include "engine/plan/choices.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "engine/schemes/scheme.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace hogwild;

TEST_CASE("every scheme has a row of its own, and a name on the command line") {
    std::set<std::string_view> names;
    for (const SchemeTraits* const scheme : all_schemes()) {
        CAPTURE(scheme->name);
        CHECK(names.insert(scheme->name).second);
        CHECK(&scheme_traits(scheme->name) == scheme);
        CHECK_FALSE(scheme->about.empty());
    }
    CHECK(std::ranges::equal(known_names("scheme"), all_schemes(), {}, {}, &SchemeTraits::name));
}

TEST_CASE("every row makes a scheme") {
    for (const std::string_view name : scheme_names()) {
        CAPTURE(name);
        CHECK(make_scheme(name) != nullptr);
    }
}

TEST_CASE("a name that no scheme has takes nothing") {
    const SchemeTraits& none = scheme_traits("hogwil");
    CHECK(none.name.empty());
    CHECK_FALSE(none.guards);
    CHECK((none.make == nullptr));
}

TEST_CASE("there is one yardstick, and it alone has one worker") {
    for (const SchemeTraits* const scheme : all_schemes()) {
        CAPTURE(scheme->name);
        CHECK((scheme->kind == SchemeKind::kSerial) == (scheme->writers == Writers::kOne));
    }
    CHECK(schemes_where([](const SchemeTraits& each) { return each.kind == SchemeKind::kSerial; }) == "serial");
    CHECK(kind_of("serial") == "serial");
}

TEST_CASE("replicas are averaged or exchange, and no other scheme's models are") {
    for (const SchemeTraits* const scheme : all_schemes()) {
        CAPTURE(scheme->name);
        CHECK((scheme->replicas == Replication::kNone) == (scheme->merging == Merging::kNone));
        CHECK((scheme->models != nullptr || scheme->replicas == Replication::kNone));
    }
}

TEST_CASE("whoever has a step for a choice of updates or guards races") {
    for (const SchemeTraits* const scheme : all_schemes()) {
        CAPTURE(scheme->name);
        const bool chooses = scheme->updates != UpdateChoice::kNone || scheme->guards || scheme->staleness_rules;
        CHECK((!chooses || scheme->writers == Writers::kRacing));
    }
}

TEST_CASE("plans take what the rows say, and are refused what they do not") {
    for (const SchemeTraits* const scheme : all_schemes()) {
        CAPTURE(scheme->name);
        Plan plan;
        plan.scheme = scheme->name;
        plan.problem = "logistic";
        plan.threads = scheme->writers == Writers::kOne ? 1 : 2;
        REQUIRE(why_not(plan).empty());
        Plan asked = plan;
        asked.telemetry = "sampled";
        CHECK(why_not(asked).empty() == scheme->no_telemetry.empty());
        asked = plan;
        asked.staleness.rule = "inverse";
        CHECK(why_not(asked).empty() == scheme->staleness_rules);
        asked = plan;
        set_memory(asked, "host-fp64");
        CHECK(why_not(asked).empty() == scheme->steps_on_doubles());
        set_memory(asked, "host-int8");
        CHECK(why_not(asked).empty() == scheme->short_numbers);
        asked = plan;
        asked.device = "both";
        asked.memory = "replica";
        CHECK(why_not(asked).empty() == (scheme->on_gpu == OnGpu::kStreams));
        asked = plan;
        asked.hot.updates = "replicated";
        asked.hot.count = 64;
        asked.placement = "hot-first";
        CHECK(why_not(asked).empty() == scheme->hot_updates);
        asked = plan;
        asked.l1 = 1e-4;
        CHECK(why_not(asked).empty() == scheme->corrects_steps());
    }
}

TEST_CASE("a list of schemes reads as people write one") {
    CHECK(schemes_where([](const SchemeTraits& each) { return each.steps_on_doubles(); }) == "svrg, saga and columns");
    CHECK(schemes_where([](const SchemeTraits& each) { return each.short_numbers; }) == "serial and hogwild");
    CHECK(schemes_where([](const SchemeTraits&) { return false; }).empty());
}
