#include "experiments/sweep/spec/spec.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/names.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/sweep/spec/run_words.h"
#include "experiments/sweep/spec/spec_paper.h"
#include "experiments/sweep/spec/spec_reader.h"
#include "experiments/sweep/spec/toml_nesting.h"
#include "experiments/sweep/spec/toml_numbers.h"
#include "experiments/text/stored_text.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace hogwild {
namespace {

std::vector<Choice> choices(const SpecReader& reader, const std::vector<std::string>& known,
                            std::initializer_list<std::string_view> others = {}) {
    std::vector<std::string> keys = known;
    keys.insert(keys.end(), others.begin(), others.end());
    reader.check_keys(keys);
    std::vector<Choice> choices;
    for (const auto& [key, node] : reader.table()) {
        if (std::ranges::find(others, key.str()) != others.end()) continue;
        const std::string option(key.str());
        const std::vector<std::string> texts = reader.texts(node, option);
        choices.push_back({option, reader.at(node, [&] { return values_of(option, texts); })});
    }
    return choices;
}

/// What may differ between the best of two combinations: neither the samples nor a fixed axis.
std::vector<std::string> tuned_options() {
    std::vector<std::string> options = run_axes();
    std::erase_if(options, names_data);
    for (const Axis* row : axes()) {
        if (row->tuning == Axis::Tuning::kFixed) std::erase(options, option_of(*row).substr(2));
    }
    for (const std::string_view problem : known_names("problem")) {
        for (const Parameter& fixed : problem_traits(problem).parameters)
            std::erase(options, option_of(fixed).substr(2));
    }
    return options;
}

Override override_of(const SpecReader& reader) {
    reader.check_keys({"when", "set", "tune"});
    const auto *when = reader.table().get("when"), *set = reader.table().get("set"), *tune = reader.table().get("tune");
    if (when == nullptr || (set == nullptr && tune == nullptr)) {
        reader.refuse(reader.table(), "an [[override]] lacks `when`, or `set` and `tune`",
                      "it has to say whose values it changes",
                      "write when = { scheme = \"round-robin\" } and set = { epochs = 2 }");
    }
    Override change;
    change.when = choices(reader.part(*when, "when of an [[override]]"), run_axes());
    if (set != nullptr) change.set = reader.part(*set, "set of an [[override]]").settings();
    if (tune != nullptr) change.tune = choices(reader.part(*tune, "tune of an [[override]]"), tuned_options());
    return change;
}

/// Calls `use` with each table of [[name]].
template <class Use>
void each(const SpecReader& file, const toml::node& node, const std::string& name, const Use& use) {
    const auto* tables = node.as_array();
    if (tables == nullptr || !tables->is_array_of_tables())
        file.refuse(node, name + " is no list of tables", "one bracket is missing", "write [[" + name + "]]");
    for (const toml::node& table : *tables) use(file.part(table, "[[" + name + "]]"));
}

/// Runs are judged on seeds that nothing was chosen on.
void check_seeds(const Spec& spec, std::string_view name) {
    const bool chosen = spec.chooses();
    for (const std::string& seed : chosen ? spec.seeds : std::vector<std::string>{}) {
        if (std::ranges::find(spec.tuning_seeds, seed) != spec.tuning_seeds.end()) {
            throw Error(Failure::kUsage, fmt::format("{}: seed {} is for tuning and for final runs", name, seed),
                        "what is chosen on a seed flatters itself on it", "name others in [seeds]");
        }
    }
}

std::vector<std::string> seeds_of(const SpecReader& reader, const std::string& key,
                                  const std::vector<std::string>& usual) {
    const toml::node* node = reader.table().get(key);
    if (node == nullptr) return usual;
    const std::vector<std::string> texts = reader.texts(*node, key);
    return reader.at(*node, [&] { return values_of("seed", texts); });
}

/// Whole numbers up to `most`.
std::size_t count_of(const SpecReader& reader, const std::string& key, std::size_t most, const char* suggestion) {
    const toml::node& node = *reader.table().get(key);
    const std::string text = reader.text(node, key);
    const auto count = parse_count(text);
    if (!count || *count > most) {
        reader.refuse(node, key + " cannot be '" + text + "'", fmt::format("it is no whole number up to {}", most),
                      suggestion);
    }
    return *count;
}

void read_tuning(Spec& spec, const SpecReader& table) {
    spec.tuning = choices(table, tuned_options(), {"extend", "candidates", "halve"});
    const auto has = [&](const char* key) { return table.table().contains(key); };
    if (has("extend"))
        spec.extend =
            static_cast<unsigned>(count_of(table, "extend", 8, "say how often a grid may grow, like extend = 2"));
    if (has("candidates"))
        spec.candidates = count_of(table, "candidates", 10'000, "say how many, like candidates = 12");
    if (const toml::node* halve = table.table().get("halve")) {
        const std::string text = table.text(*halve, "halve");
        if (text != "true" && text != "false")
            table.refuse(*halve, "halve cannot be '" + text + "'", "it is a yes or a no", "write true or false");
        spec.halve = text == "true";
    }
    if (spec.extend > 0 && spec.candidates > 0)
        table.refuse(*table.table().get("extend"), "extend cannot go with candidates",
                     "a grid that grows makes more of them", "leave one out; wider lists need no growth");
}

ByKind counts_by_kind(const SpecReader& table, const char* suggestion) {
    table.check_keys({kKinds.begin(), kKinds.end()});
    ByKind counts;
    for (const auto& [key, node] : table.table())
        counts.emplace(key.str(), count_of(table, std::string(key.str()), 100, suggestion));
    return counts;
}

ByKind read_finalists(const SpecReader& table) {
    const char* suggestion = "say how many candidates of a combination get final runs, like serial = 2";
    ByKind counts = counts_by_kind(table, suggestion);
    for (const auto& [kind, count] : counts) {
        if (count == 0)
            table.refuse(*table.table().get(kind), kind + " cannot be '0'", "its schemes would have no final runs",
                         "take at least 1; [screen] says which schemes have none");
    }
    return counts;
}

void read_data(Spec& spec, const SpecReader& table) {
    table.check_keys({"missing"});
    const toml::node* missing = table.table().get("missing");
    if (missing == nullptr) return;
    const std::string text = table.text(*missing, "missing");
    if (text != "error" && text != "leave-out")
        table.refuse(*missing, "missing cannot be '" + text + "'", "it is not what becomes of data that are not here",
                     "choose one of error, leave-out");
    spec.goes_on_without_data = text == "leave-out";
}

void read_table(Spec& spec, const SpecReader& file, const std::string& name, const toml::node& node) {
    if (name == "exclude") {
        return each(file, node, name,
                    [&](const SpecReader& table) { spec.excludes.push_back(choices(table, run_axes())); });
    }
    if (name == "override") {
        return each(file, node, name, [&](const SpecReader& table) { spec.overrides.push_back(override_of(table)); });
    }
    if (name == "paper") {
        return each(file, node, name, [&](const SpecReader& table) { spec.papers.push_back(read_paper(table)); });
    }
    const SpecReader table = file.part(node, "[" + name + "]");
    if (name == "run") {
        const std::vector<Setting> more = table.settings();
        spec.run.insert(spec.run.end(), more.begin(), more.end());
    } else if (name == "axes") {
        spec.axes = choices(table, run_axes());
    } else if (name == "targets") {
        table.check_keys({"target", "optimum"});
        const std::vector<Setting> more = table.settings();
        spec.run.insert(spec.run.end(), more.begin(), more.end());
    } else if (name == "seeds") {
        table.check_keys({"final", "tuning"});
        spec.seeds = seeds_of(table, "final", spec.seeds);
        spec.tuning_seeds = seeds_of(table, "tuning", spec.tuning_seeds);
    } else if (name == "tuning") {
        read_tuning(spec, table);
    } else if (name == "data") {
        read_data(spec, table);
    } else if (name == "screen") {
        spec.screen = counts_by_kind(table, "say how many schemes get final runs, like async = 4");
    } else if (name == "finalists") {
        spec.finalists = read_finalists(table);
    } else {
        table.check_keys({"title", "note"});
        if (const toml::node* title = table.table().get("title")) spec.title = table.text(*title, "title");
        if (const toml::node* note = table.table().get("note")) spec.note = table.text(*note, "note");
    }
}

toml::table parsed(std::string_view text, std::string_view name) {
    if (const auto line = too_deep_line(text)) {
        throw Error(
            Failure::kUsage, fmt::format("{}:{}: tables nest too deep", name, *line),
            fmt::format("{} brackets and {} parts of a dotted key are read at most", kDeepestToml, kDeepestToml),
            "a sweep's file needs two");
    }
    try {
        toml::table file = toml::parse(text, name);
        check_numbers(file, text, name);
        return file;
    } catch (const toml::parse_error& error) {
        throw Error(
            Failure::kUsage,
            fmt::format("{}:{}:{}: this is no TOML", name, error.source().begin.line, error.source().begin.column),
            std::string(error.description()), "see https://toml.io");
    }
}

/// "run.epochs=3" into the file's table.
void change(toml::table& file, const std::string& text) {
    const auto dot = text.find('.'), equals = text.find('=');
    if (dot == std::string::npos || equals == std::string::npos || dot > equals) {
        throw Error(Failure::kUsage, "--set cannot be '" + text + "'", "it is no TABLE.KEY=VALUE",
                    "write it like run.epochs=3 or axes.threads=1,2");
    }
    const std::string name = text.substr(0, dot);
    if (name == "exclude" || name == "override" || name == "paper") {
        throw Error(Failure::kUsage, "--set cannot change '" + name + "'", "there may be many of these",
                    "change the file");
    }
    if (!file.contains(name)) file.insert(name, toml::table{});
    toml::node* table = file.get(name);
    if (!table->is_table()) {
        throw Error(Failure::kUsage, "--set cannot change '" + name + "'", "in the file it is no table",
                    "change the file");
    }
    const std::string key = text.substr(dot + 1, equals - dot - 1), value = text.substr(equals + 1);
    table->as_table()->insert_or_assign(key, value);
    if (too_deep_line(value)) return; // a text without quotes
    try {
        const std::string line = "value = " + value;
        const toml::table typed = toml::parse(line); // a number, a list
        check_numbers(typed, line, "");
        typed.get("value")->visit([&](const auto& node) { table->as_table()->insert_or_assign(key, node); });
    } catch (const toml::parse_error&) {
        return; // a text without quotes
    }
}

/// Refuses a setting that two changes give.
void check_once(const std::vector<std::string>& changes) {
    std::map<std::string_view, std::string_view> seen; // by what stands before "="
    for (const std::string_view change : changes) {
        const auto [before, fresh] = seen.emplace(change.substr(0, change.find('=')), change);
        if (fresh) continue;
        throw Error(Failure::kUsage, fmt::format("--set gives {} twice", before->first),
                    fmt::format("as '{}' and as '{}'", before->second, change), "leave one out");
    }
}

} // namespace

Spec parse_spec(std::string_view text, std::string_view name, const std::vector<std::string>& changes) {
    toml::table file = parsed(text, name);
    check_once(changes);
    for (const std::string& each : changes) change(file, each);
    const SpecReader reader(file, name, "the file");
    reader.check_keys({"run", "axes", "exclude", "override", "data", "seeds", "targets", "tuning", "screen",
                       "finalists", "report", "paper"});
    Spec spec;
    spec.text = text;
    for (const auto& [key, node] : file) read_table(spec, reader, std::string(key.str()), node);
    check_seeds(spec, name);
    if (spec.extend > 0 && std::ranges::any_of(spec.overrides, [](const Override& each) { return !each.tune.empty(); }))
        throw Error(Failure::kUsage, fmt::format("{}: extend cannot go with `tune` in an [[override]]", name),
                    "a grid that grows is one list for all", "leave one out; wider lists need no growth");
    return spec;
}

bool Spec::chooses() const {
    return !tuning.empty() || screen ||
           std::ranges::any_of(overrides, [](const Override& each) { return !each.tune.empty(); });
}

std::size_t Spec::finalists_of(std::string_view scheme) const {
    const auto asked = finalists.find(kind_of(scheme));
    return asked == finalists.end() ? 1 : asked->second;
}

Spec read_spec(const std::filesystem::path& path, const std::vector<std::string>& changes) {
    const std::string text =
        needed_text(path, Failure::kMissing, "name the sweep's file, like experiments/specs/quickstart.toml");
    return parse_spec(text, path.string(), changes);
}

} // namespace hogwild
