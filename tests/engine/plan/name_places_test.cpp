// Laws of places for names in texts (engine/plan/name_places.h).
#include "engine/plan/name_places.h"

#include "engine/error.h"
#include "engine/plan/axes.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hogwild;

namespace {

/// The words of a text that are among these names; options before them are words too.
std::multiset<std::string> names_in(std::string_view text, std::span<const std::string_view> names) {
    const std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyz0123456789-_+";
    std::multiset<std::string> found;
    for (std::size_t at = text.find_first_of(kOfNames); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_not_of(kOfNames, at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (std::ranges::find(names, word) != names.end()) found.emplace(word);
        at = text.find_first_of(kOfNames, end);
    }
    return found;
}

/// A plan for which each axis whose rows take a choice means something under some value of that choice.
Plan plan_with_choices() {
    Plan plan;
    plan.problem = "network";
    plan.device = "both";
    plan.memory = "mapped";
    plan.threads = 2;
    return plan;
}

} // namespace

TEST_CASE(
    "the optimisers, step rules and so on that a note names are those that take the axis, and none is typed by hand") {
    struct Decided {
        std::string_view axis, by; // whose names decide whether it means something
    };
    constexpr Decided kDecided[] = {
        {"beta1", "optimizer"},  {"beta2", "optimizer"},       {"decay", "step"},
        {"half_life", "step"},   {"plateau", "step"},          {"staleness_limit", "staleness_rule"},
        {"coupling", "combine"}, {"batch_most", "batch_rule"}, {"cas_limit", "update"},
    };
    for (const Decided& each : kDecided) {
        CAPTURE(each.axis);
        const Axis& decided = axis(each.axis);
        const Axis& deciding = axis(each.by);
        std::set<std::string> takers;
        for (const std::string_view name : deciding.names()) {
            Plan plan = plan_with_choices();
            if (each.axis == "coupling") plan.scheme = "async-local-sgd", plan.device = "cpu", plan.memory = "host";
            put(deciding, plan, std::string(name));
            if (applies(decided, plan)) takers.emplace(name);
        }
        CHECK_FALSE(takers.empty());
        CHECK(takers.size() < deciding.names().size());
        const std::multiset<std::string> named = names_in(idle_note_of(decided), deciding.names());
        const std::multiset<std::string> typed = names_in(decided.idle_note, deciding.names());
        for (const std::string& name : takers) {
            CAPTURE(name);
            CHECK(named.count(name) == typed.count(name) + 1);
        }
        for (const std::string& name : named) CHECK(takers.contains(name));
        const std::string_view whose = decided.help.substr(0, decided.help.find(':'));
        CHECK(names_in(whose, deciding.names()).empty());
    }
}

TEST_CASE("every text with places for names has names in all of them") {
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        for (const std::string& text : {meaning_of(*row), idle_note_of(*row)}) {
            CHECK(text.find_first_of("{}") == std::string::npos);
            CHECK(text.find("  ") == std::string::npos);
        }
    }
}

TEST_CASE("a place for names that no group fills is an error, one for a default stays") {
    CHECK(with_names("default: {}") == "default: {}");
    CHECK(with_names("{guards|takes|take} one") == "hogwild takes one");
    CHECK(with_names("{steps_on_doubles,}: {steps_on_doubles|know|know}") ==
          "svrg, saga, columns: svrg, saga and columns know");
    CHECK(with_names("{beta2} or {--step decays|falls|fall}") ==
          "rmsprop and adam or --step decay and --step backoff fall");
    CHECK_THROWS_AS((void)with_names("{nobody}"), Error);
    CHECK_THROWS_AS((void)with_names("{--step nobody}"), Error);
}
