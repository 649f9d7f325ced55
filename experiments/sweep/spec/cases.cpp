#include "experiments/sweep/spec/cases.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "experiments/options/old_spellings.h"
#include "experiments/sweep/spec/run_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace hogwild {
namespace {

bool same(const std::string& a, const std::string& b) {
    const auto x = parse_real(a), y = parse_real(b);
    return x && y ? *x == *y : a == b;
}

constexpr double kMostCombinations = 1e5; // of a table; each takes a kilobyte
constexpr double kMostRuns = 1e6;         // each takes some milliseconds at least

/// Combinations, counted before any is made; they may be beyond all whole numbers.
double count_of(const std::vector<Choice>& choices) {
    double count = 1;
    for (const Choice& choice : choices) count *= static_cast<double>(choice.values.size());
    return count;
}

void check_count(double count, double most, const char* what) {
    if (count <= most) return;
    throw Error(Failure::kUsage, fmt::format("{} {} are too many", whole_or_human(count, 3), what),
                fmt::format("a sweep has {} at most", whole_or_human(most, 3)),
                "name fewer values, or make several sweeps of them");
}

std::vector<Case> product_of(std::vector<Case> cases, const std::vector<Choice>& choices, const char* what) {
    check_count(count_of(choices), kMostCombinations, what);
    for (const Choice& choice : choices) {
        std::vector<Case> longer;
        for (const Case& each : cases) {
            for (const std::string& value : choice.values) longer.emplace_back(each).push_back({choice.option, value});
        }
        cases = std::move(longer);
    }
    return cases;
}

/// A file is meant wherever it lies.
bool same_data(const std::string& a, const std::string& b) {
    return a == b || std::filesystem::path(a).filename() == b;
}

bool holds(const Case& settings, const std::vector<Choice>& condition, const char* table) {
    return std::ranges::all_of(condition, [&](const Choice& choice) {
        const std::string* value = value_of(settings, choice.option);
        if (value == nullptr) {
            throw Error(Failure::kUsage, std::string(table) + " asks for '" + choice.option + "'",
                        "neither [run] nor [axes] sets it", "set it there, or leave it out here");
        }
        return std::ranges::any_of(choice.values, [&](const std::string& each) {
            return names_data(choice.option) ? same_data(*value, each) : same(*value, each);
        });
    });
}

constexpr const char *kExclude = "an [[exclude]]", *kOverride = "an [[override]]", *kAxes = "combinations of [axes]",
                     *kTuning = "candidates of [tuning]";

/// The product of the axes, less what is excluded.
std::vector<Case> left(const Spec& spec) {
    std::vector<Case> all = product_of({spec.run}, spec.axes, kAxes);
    std::erase_if(all, [&](const Case& each) {
        return std::ranges::any_of(spec.excludes, [&](const auto& what) { return holds(each, what, kExclude); });
    });
    return all;
}

/// What is tried for a combination: a list for each option.
std::vector<Choice> tuned_lists(const Spec& spec, const Case& settings) {
    const std::size_t own = spec.run.size() + spec.axes.size(); // before any override's
    const Case before(settings.begin(), settings.begin() + static_cast<std::ptrdiff_t>(std::min(own, settings.size())));
    std::vector<Choice> lists = spec.tuning;
    for (const Override& change : spec.overrides) {
        if (change.tune.empty() || !holds(before, change.when, kOverride)) continue;
        for (const Choice& list : change.tune) {
            const auto known = std::ranges::find(lists, list.option, &Choice::option);
            if (known == lists.end())
                lists.push_back(list);
            else
                known->values = list.values;
        }
    }
    return lists;
}

} // namespace

const std::string* value_of(const Case& settings, const std::string& option) {
    const auto last = std::find_if(settings.rbegin(), settings.rend(),
                                   [&](const Setting& setting) { return setting.option == option; });
    return last == settings.rend() ? nullptr : &last->value;
}

std::vector<Case> cases(const Spec& spec) {
    std::vector<Case> all = left(spec);
    for (Case& each : all) {
        const Case before = each; // overrides look at what the axes say, not at each other
        for (const Override& change : spec.overrides) {
            if (holds(before, change.when, kOverride)) each.insert(each.end(), change.set.begin(), change.set.end());
        }
    }
    std::erase_if(all, [&](const Case& each) {
        const std::string* data = value_of(each, "data");
        return data != nullptr && std::ranges::find(spec.left_out, *data, &MissingData::name) != spec.left_out.end();
    });
    return all;
}

std::vector<std::string> idle_conditions(const Spec& spec) {
    std::vector<std::string> notes;
    const auto look = [&](const std::vector<Case>& all, const std::vector<Choice>& condition, const char* table) {
        if (std::ranges::any_of(all, [&](const Case& each) { return holds(each, condition, table); })) return;
        if (std::ranges::any_of(condition, names_data, &Choice::option)) return; // data come and go by --set
        std::string words;
        for (const Choice& choice : condition)
            words +=
                fmt::format("{}{} = {}", words.empty() ? "" : ", ", choice.option, fmt::join(choice.values, " or "));
        notes.push_back(fmt::format("note: {} fits nothing ({})", table, words));
    };
    const std::vector<Case> all = product_of({spec.run}, spec.axes, kAxes), remaining = left(spec);
    for (const auto& what : spec.excludes) look(all, what, kExclude);
    for (const Override& change : spec.overrides) look(remaining, change.when, kOverride);
    return notes;
}

std::vector<std::string> old_spellings(const Spec& spec) {
    std::vector<std::string> notes;
    const auto look = [&](const std::string& option, const std::string& value) {
        const std::string line = spelling_line(option, value);
        if (!line.empty() && std::ranges::find(notes, line) == notes.end()) notes.push_back(line);
    };
    const auto look_at_lists = [&](const std::vector<Choice>& lists) {
        for (const Choice& list : lists) {
            for (const std::string& value : list.values) look(list.option, value);
        }
    };
    for (const Setting& setting : spec.run) look(setting.option, setting.value);
    look_at_lists(spec.axes);
    look_at_lists(spec.tuning);
    for (const Override& change : spec.overrides) {
        for (const Setting& setting : change.set) look(setting.option, setting.value);
        look_at_lists(change.tune);
    }
    return notes;
}

std::vector<Case> candidates(const Spec& spec, const Case& settings) {
    return product_of({Case{}}, tuned_lists(spec, settings), kTuning);
}

void check_runs(const Spec& spec) {
    const std::vector<Case> all = cases(spec);
    double runs = static_cast<double>(all.size()) * static_cast<double>(spec.seeds.size());
    for (const Case& each : all) {
        if (!spec.chooses()) continue;
        const double listed = count_of(tuned_lists(spec, each));
        const double tried = spec.candidates > 0 ? static_cast<double>(spec.candidates) : listed;
        runs += tried * static_cast<double>(spec.tuning_seeds.size());
    }
    check_count(runs, kMostRuns, "runs");
}

} // namespace hogwild
