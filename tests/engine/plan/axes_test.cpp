// Laws of the rows of axes (engine/plan/axes.h): what every loop over them takes for granted.
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/names.h"

#include "engine/error.h"
#include "engine/plan/name_places.h"
#include "engine/plan/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace hogwild {
namespace {

bool has_field(const Axis& axis) { return !std::holds_alternative<std::monostate>(axis.field); }

/// Plans of every problem, scheme and device, with choices that give others a meaning.
std::vector<Plan> plans_of_all_kinds() {
    std::vector<Plan> plans;
    for (const std::string_view problem : known_names("problem")) {
        for (const std::string_view scheme : known_names("scheme")) {
            for (const std::string_view device : known_names("device")) {
                for (const char* hot : {"direct", "replicated"}) {
                    Plan plan;
                    plan.problem = problem;
                    plan.scheme = scheme;
                    plan.device = device;
                    plan.hot.updates = hot;
                    plan.hot.count = 64;
                    plan.optimizer.name = "adam";
                    plan.batch.rule = "adaptive";
                    plan.staleness.rule = "drop";
                    set_memory(plan, device == std::string_view("cpu") ? "host-int8" : "replica");
                    plans.push_back(plan);
                    plan.step.kind = "inverse-time";
                    plan.update = "cas-bounded";
                    plans.push_back(plan);
                    plan.step.kind = "backoff";
                    plan.gpu.steps = "graphs";
                    plans.push_back(plan);
                }
            }
        }
    }
    return plans;
}

/// Another value than the plan's that lies in the axis's range; nothing where it has one alone.
std::vector<Value> other_values(const Axis& axis, const Plan& plan) {
    const Value now = value_of(axis, plan);
    std::vector<Value> values;
    if (const auto* text = std::get_if<std::string>(&now)) {
        if (axis.names == nullptr) return {};
        for (const std::string_view name : axis.names()) {
            if (name != *text) values.emplace_back(std::string(name));
        }
    } else if (const auto* count = std::get_if<std::uint64_t>(&now)) {
        values.emplace_back(*count + 1);
    } else {
        const double real = std::get<Real>(now).value;
        values.emplace_back(Real(axis.range.holds(0.5 * real) && real != 0 ? 0.5 * real : real + 0.001));
    }
    return values;
}

TEST_CASE("how finely a run steps may grow where no value is too large, and what is minimised is not tuned") {
    std::set<std::string> fine, growing, fixed;
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        CHECK(axis_of_option(option_of(*row).substr(2)) == row);
        if (row->tuning == Axis::Tuning::kFine) fine.emplace(row->name);
        if (row->tuning == Axis::Tuning::kFixed) fixed.emplace(row->name);
        if (may_grow(*row)) growing.emplace(row->name);
    }
    CHECK(fine == std::set<std::string>{"batch", "decay", "exchange", "step_scale", "step_size"});
    CHECK(growing == std::set<std::string>{"batch", "exchange", "step_scale", "step_size"});
    CHECK(fixed == std::set<std::string>{"delay", "epochs", "l2", "problem", "telemetry"});
    CHECK(axis_of_option("rank") == nullptr); // a parameter of models
}

TEST_CASE("no two axes share a name, an option, or a place in a text, a sentence or a table") {
    std::set<std::string> names, options;
    std::map<std::string, std::set<int>> places;
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        CHECK(names.emplace(row->name).second);
        CHECK(options.insert(option_of(*row)).second);
        CHECK(find_axis(row->name) == row);
        for (const auto& [where, place] :
             {std::pair("text", row->text_place), std::pair("sentence", row->sentence.place),
              std::pair("table", row->table.place)})
            CHECK((place == 0 || places[where].insert(place).second));
    }
}

TEST_CASE("every field of a plan that an axis sets is in its text, by itself or in another's") {
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        CHECK((row->text_place == 0 || has_field(*row)));
        if (row->text_place > 0 || !has_field(*row)) continue;
        for (const Value& value : other_values(*row, Plan{})) {
            Plan other;
            put(*row, other, value);
            CHECK(fields(other) != fields(Plan{}));
        }
    }
}

TEST_CASE("what a plan has unasked is known and lies in its range") {
    validate(Plan{});
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        CHECK_FALSE(row->help.empty());
        if (!has_field(*row)) continue;
        const Value value = value_of(*row, Plan{});
        if (row->names != nullptr) {
            CHECK(std::ranges::find(row->names(), std::get<std::string>(value)) != row->names().end());
        } else if (const auto* real = std::get_if<Real>(&value)) {
            CHECK(row->range.holds(real->value));
        } else if (const auto* count = std::get_if<std::uint64_t>(&value)) {
            CHECK(row->range.holds(static_cast<double>(*count)));
        }
    }
}

TEST_CASE("the help says a default that is one value once, and has one for each of its places") {
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        std::size_t places = 0;
        for (std::size_t at = row->help.find("{}"); at != std::string_view::npos; at = row->help.find("{}", at + 2))
            ++places;
        if (row->defaults != nullptr) CHECK(row->defaults().size() == places);
        const std::string help = help_of(*row);
        CHECK(help.starts_with(meaning_of(*row)));
        CHECK(help.find("{}") == std::string::npos);
        const std::string own = " (default: " + written(value_of(*row, Plan{})) + ")";
        const bool appended = help != meaning_of(*row);
        CHECK(appended == (places == 0 && !row->depends && row->usual.empty()));
        if (appended) CHECK(help == meaning_of(*row) + own);
    }
}

TEST_CASE("a default that depends on something is said where it does") {
    const auto says = [](std::string_view name, std::string_view words) {
        return help_of(axis(name)).find(words) != std::string::npos;
    };
    CHECK(says("device", "streams; both (default: cpu)"));
    CHECK(says("memory", "default: host for cpu, device for gpu, replica for both; svrg, saga, columns: host)"));
    CHECK(says("streams", "default: 4, of networks 1, but 4 with graphs)"));
    CHECK(says("hot", "(default: 64 from 100 blocks of all streams up under atomic, "));
    CHECK(says("hot", "a line each (default: 256); of ratings, edges and texts in whole pages, as they are stored "
                      "(default: 8,192)"));
    CHECK(says("hot_updates", "(default: auto, but direct where "));
    CHECK(says("beta2", "(default: 0.99 and 0.999)"));
}

TEST_CASE("no two defaults are said before the runs in one place") {
    std::set<int> places;
    for (const Axis* row : axes()) {
        if (row->announced.place != 0) CHECK_MESSAGE(places.insert(row->announced.place).second, row->name);
    }
    CHECK_FALSE(places.empty());
}

/// What is about one scheme's name, and not about what schemes have in common: phrases of a row's texts.
const std::multimap<std::string_view, std::string_view> kTypedNames{
    {"scheme", "hogwild tune"},                         // a command
    {"guard", "65,536 columns"},                        // of a model
    {"hot_updates", "auto: replicated"},                // its own value
    {"exchange_doublings", "--hot-updates replicated"}, // another axis's
    {"combine", "--hot-updates replicated"},
};

/// The scheme's name that somebody typed in a row's text; empty: none. Phrases of `kTypedNames` are taken out of it.
std::string typed_scheme(std::string_view axis, std::string text) {
    for (auto [at, end] = kTypedNames.equal_range(axis); at != end; ++at) {
        if (const std::size_t found = text.find(at->second); found != std::string::npos)
            text.erase(found, at->second.size());
    }
    const std::string_view kOfNames = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+_";
    for (std::size_t at = text.find_first_of(kOfNames); at != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_not_of(kOfNames, at), text.size());
        const std::string word = text.substr(at, end - at);
        if (std::ranges::find(scheme_names(), word) != scheme_names().end()) return word;
        at = text.find_first_of(kOfNames, end);
    }
    return "";
}

TEST_CASE("no row's text lists schemes by hand: their names come from what the schemes say of themselves") {
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        CHECK(typed_scheme(row->name, std::string(row->help)) == "");
        CHECK(typed_scheme(row->name, std::string(row->idle_note)) == "");
    }
    CHECK(typed_scheme("guard", "as hogwild's") == "hogwild");
    for (const auto& typed : kTypedNames) {
        CAPTURE(typed.second);
        CHECK((axis(typed.first).help.find(typed.second) != std::string_view::npos ||
               axis(typed.first).idle_note.find(typed.second) != std::string_view::npos));
    }
}

/// Names of schemes in a text that has them in places.
std::set<std::string_view> named_in(std::string_view text) {
    const std::string filled = with_names(text);
    std::set<std::string_view> names;
    for (const std::string_view name : scheme_names()) {
        std::size_t at = 0;
        while ((at = filled.find(name, at)) != std::string::npos) {
            const auto ends = [&](std::size_t place) {
                return place >= filled.size() || std::string_view(" ,;:.'").find(filled[place]) != std::string::npos;
            };
            const bool option = at >= 14 && filled.compare(at - 14, 14, "--hot-updates ") == 0;
            if ((at == 0 || ends(at - 1)) && ends(at + name.size()) && !option) names.insert(name);
            at += name.size();
        }
    }
    return names;
}

TEST_CASE("the schemes that a note names are those that take the axis under some problem, or those that do not") {
    std::map<std::string_view, std::map<std::string, std::set<std::string_view>>> takers;
    for (const Plan& plan : plans_of_all_kinds()) {
        for (const Axis* row : axes()) {
            if (applies(*row, plan)) takers[row->name][plan.problem].insert(scheme_traits(plan.scheme).name);
        }
    }
    for (const Axis* row : axes()) {
        std::set<std::string_view> named = named_in(row->idle_note);
        if (named.empty()) continue;
        CAPTURE(row->name);
        if (row->idle_note.find("--hot-updates replicated") != std::string_view::npos) {
            for (const SchemeTraits* scheme : all_schemes()) // whose option that is
                if (scheme->hot_updates) named.insert(scheme->name);
        }
        std::set<std::string_view> others;
        for (const std::string_view name : scheme_names())
            if (!named.contains(name)) others.insert(name);
        CHECK(std::ranges::any_of(takers[row->name],
                                  [&](const auto& of) { return of.second == named || of.second == others; }));
    }
}

TEST_CASE("an axis that may mean nothing says why") {
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        CHECK((row->applies != nullptr) == !row->idle_note.empty());
    }
}

TEST_CASE("two values that mean something never share a hash, and a text reads back as its plan") {
    std::set<std::string_view> tried;
    for (const Plan& plan : plans_of_all_kinds()) {
        for (const Axis* row : axes()) {
            if (!has_field(*row) || !applies(*row, plan)) continue;
            for (const Value& value : other_values(*row, plan)) {
                Plan other = plan;
                put(*row, other, value);
                CAPTURE(row->name);
                CAPTURE(plan.scheme);
                CAPTURE(plan.problem);
                CHECK(hash(other) != hash(plan));
                CHECK(fields(plan_of(fields(other))) == fields(other));
                tried.insert(row->name);
            }
        }
    }
    for (const Axis* row : axes()) {
        CAPTURE(row->name);
        const bool has_others = has_field(*row) && !other_values(*row, Plan{}).empty();
        CHECK(tried.contains(row->name) == has_others);
    }
}

TEST_CASE(
    "what means nothing for a plan has its default there once it is collapsed, and collapsing again changes nothing") {
    for (Plan plan : plans_of_all_kinds()) {
        const Plan once = collapsed(plan);
        CHECK(fields(collapsed(once)) == fields(once));
        for (const Axis* row : axes()) {
            if (!has_field(*row) || row->idle == Axis::Idle::kStays || applies(*row, once)) continue;
            CAPTURE(row->name);
            CAPTURE(plan.scheme);
            CHECK(written(value_of(*row, once)) == written(value_of(*row, Plan{})));
        }
    }
}

TEST_CASE("a slip is answered by the name that was meant, a number by its range") {
    const auto said = [](const std::function<void(Plan&)>& change) -> std::string {
        Plan plan;
        change(plan);
        try {
            validate(plan);
        } catch (const Error& error) {
            return error.what();
        }
        return "fine";
    };
    CHECK(said([](Plan& plan) { plan.update = "atomc"; }).find("did you mean atomic?") != std::string::npos);
    CHECK(said([](Plan& plan) { plan.scheme = "hogwyld"; }).find("did you mean hogwild?") != std::string::npos);
    CHECK(said([](Plan& plan) { plan.update = "zzzzzz"; }).find("use one of these") != std::string::npos);
    CHECK(said([](Plan& plan) { plan.step.decay = 0; }).find("--decay 0 ") == 0);
    CHECK(said([](Plan& plan) { plan.step.decay = 1; }) == "fine");
    CHECK(said([](Plan& plan) { plan.optimizer.beta1 = 1; }).find("--beta1 1 ") == 0);
    CHECK(said([](Plan& plan) { plan.observations_per_epoch = 0; }).find("--observe 0 ") == 0);
}

} // namespace
} // namespace hogwild
