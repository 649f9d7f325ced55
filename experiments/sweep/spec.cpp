#include "experiments/sweep/spec.h"

#include "engine/error.h"
#include "experiments/numbers.h"
#include "experiments/sweep/run_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace hogwild {
namespace {

/// A table of the file, and the keys of it that were asked for: what is left is unknown.
class Reader {
public:
    Reader(const toml::table& table, std::string_view file, std::string name)
        : table_(table), file_(file), name_(std::move(name)) {}

    [[noreturn]] void refuse(const toml::node& node, const std::string& what, const std::string& why,
                             const std::string& suggestion) const {
        throw Error(Failure::kUsage, fmt::format("{}:{}: {}", file_, node.source().begin.line, what), why, suggestion);
    }

    /// One value as text.
    std::string text(const toml::node& node, std::string_view key) const {
        if (const auto* text = node.as_string()) return text->get();
        if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
        if (const auto* real = node.as_floating_point()) return exact(real->get());
        if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
        refuse(node, fmt::format("'{}' in {} is no single value", key, name_), "it is a list, a table or a date",
               "give a text, a number, true or false; lists belong into [axes]");
    }

    /// One or more.
    std::vector<std::string> texts(const toml::node& node, std::string_view key) const {
        const auto* array = node.as_array();
        if (array == nullptr) return {text(node, key)};
        if (array->empty())
            refuse(node, fmt::format("'{}' in {} is empty", key, name_), "nothing would run", "name some");
        std::vector<std::string> values;
        for (const toml::node& value : *array) values.push_back(text(value, key));
        return values;
    }

    const toml::table& table() const { return table_; }
    const std::string& name() const { return name_; }

    /// Keys that `known` does not hold are errors.
    void check_keys(const std::vector<std::string>& known) const {
        for (const auto& [key, node] : table_) {
            if (std::ranges::find(known, key.str()) == known.end())
                refuse(node, fmt::format("unknown key '{}' in {}", key.str(), name_),
                       fmt::format("known: {}", fmt::join(known, ", ")), "use one of these");
        }
    }

    /// A part of this table, or of the file.
    Reader part(const toml::node& node, std::string name) const {
        const auto* table = node.as_table();
        if (table == nullptr) refuse(node, name + " is no table", "it has a value of its own", "write it as a table");
        return {*table, file_, std::move(name)};
    }

    std::string_view file() const { return file_; }

private:
    const toml::table& table_;
    std::string_view file_;
    std::string name_;
};

/// Runs `work`; what it refuses is said with the node's line.
template <class Work>
auto at(const Reader& reader, const toml::node& node, const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(fmt::format("{}:{}", reader.file(), node.source().begin.line), error);
    }
}

std::vector<Setting> settings(const Reader& reader, const std::vector<std::string>& known = run_options()) {
    reader.check_keys(known);
    std::vector<Setting> settings;
    for (const auto& [key, node] : reader.table()) {
        settings.push_back({std::string(key.str()), reader.text(node, key.str())});
        at(reader, node, [&] { check_setting(settings.back()); });
    }
    return settings;
}

std::vector<Choice> choices(const Reader& reader, const std::vector<std::string>& known,
                            std::initializer_list<std::string_view> others = {}) {
    std::vector<std::string> keys = known;
    keys.insert(keys.end(), others.begin(), others.end());
    reader.check_keys(keys);
    std::vector<Choice> choices;
    for (const auto& [key, node] : reader.table()) {
        if (std::ranges::find(others, key.str()) != others.end()) continue;
        const std::string option(key.str());
        const std::vector<std::string> texts = reader.texts(node, option);
        choices.push_back({option, at(reader, node, [&] { return values_of(option, texts); })});
    }
    return choices;
}

Override override_of(const Reader& reader) {
    reader.check_keys({"when", "set"});
    const auto *when = reader.table().get("when"), *set = reader.table().get("set");
    if (when == nullptr || set == nullptr) {
        reader.refuse(reader.table(), "an [[override]] lacks `when` or `set`", "it has to say whose values it changes",
                      "write when = { scheme = \"round-robin\" } and set = { epochs = 2 }");
    }
    return {choices(reader.part(*when, "when of an [[override]]"), run_axes()),
            settings(reader.part(*set, "set of an [[override]]"))};
}

/// Calls `use` with each table of [[name]].
template <class Use>
void each(const Reader& file, const toml::node& node, const std::string& name, const Use& use) {
    const auto* tables = node.as_array();
    if (tables == nullptr || !tables->is_array_of_tables())
        file.refuse(node, name + " is no list of tables", "one bracket is missing", "write [[" + name + "]]");
    for (const toml::node& table : *tables) use(file.part(table, "[[" + name + "]]"));
}

/// What may differ between the best of two combinations: none of it changes what is minimised, on what, or for how long.
std::vector<std::string> tuned_options() {
    std::vector<std::string> options = run_axes();
    std::erase_if(options, [](const std::string& option) {
        return option == "data" || option == "problem" || option == "l2" || option == "epochs" || option == "telemetry";
    });
    return options;
}

/// A number of a publication is printed by the report, which reads it from the sweep's folder; here it is only checked.
void check_paper(const Reader& reader) {
    static const std::vector<std::string> measured{
        "seconds",         "updates_per_second", "nonzeros_per_second", "epochs_per_second", "train_loss",
        "test_loss",       "test_error",         "seconds_to_target",   "updates_to_target", "seconds_to_1e-1",
        "updates_to_1e-1", "seconds_to_1e-2",    "updates_to_1e-2",     "seconds_to_1e-3",   "updates_to_1e-3"};
    std::vector<std::string> keys{"source", "hardware", "data",   "what",  "unit",
                                  "note",   "value",    "column", "where", "over"};
    reader.check_keys(keys);
    keys.pop_back(); // may be missing
    for (const std::string& key : keys) {
        const toml::node* node = reader.table().get(key);
        if (node == nullptr)
            reader.refuse(reader.table(), "a [[paper]] lacks `" + key + "`",
                          "a reader could not tell what its number means", "add it; results/README.md shows one");
        if (key != "where" && key != "value" && !node->is_string())
            reader.refuse(*node, key + " of a [[paper]] is no text", "the report prints it", "write it in quotes");
    }
    const toml::node &value = *reader.table().get("value"), &column = *reader.table().get("column");
    if (!std::isfinite(value.value<double>().value_or(NAN)))
        reader.refuse(value, "value of a [[paper]] is no number", "it stands beside one of ours",
                      "write it without its unit");
    if (std::ranges::find(measured, reader.text(column, "column")) == measured.end())
        reader.refuse(column, "column of a [[paper]] cannot be '" + reader.text(column, "column") + "'",
                      fmt::format("known: {}", fmt::join(measured, ", ")), "use one of these");
    std::vector<std::string> axes = run_axes();
    std::erase(axes, "step-scale"); // no column of summary.csv
    for (const char* key : {"where", "over"}) {
        if (const toml::node* runs = reader.table().get(key))
            settings(reader.part(*runs, std::string(key) + " of a [[paper]]"), axes);
    }
}

/// Runs are judged on seeds that nothing was chosen on.
void check_seeds(const Spec& spec, std::string_view name) {
    for (const std::string& seed : spec.tuning.empty() ? std::vector<std::string>{} : spec.seeds) {
        if (std::ranges::find(spec.tuning_seeds, seed) != spec.tuning_seeds.end()) {
            throw Error(Failure::kUsage, fmt::format("{}: seed {} is for tuning and for final runs", name, seed),
                        "what is chosen on a seed flatters itself on it", "name others in [seeds]");
        }
    }
}

std::vector<std::string> seeds_of(const Reader& reader, const std::string& key, const std::vector<std::string>& usual) {
    const toml::node* node = reader.table().get(key);
    if (node == nullptr) return usual;
    const std::vector<std::string> texts = reader.texts(*node, key);
    return at(reader, *node, [&] { return values_of("seed", texts); });
}

void read_table(Spec& spec, const Reader& file, const std::string& name, const toml::node& node) {
    if (name == "exclude") {
        return each(file, node, name,
                    [&](const Reader& table) { spec.excludes.push_back(choices(table, run_axes())); });
    }
    if (name == "override") {
        return each(file, node, name, [&](const Reader& table) { spec.overrides.push_back(override_of(table)); });
    }
    if (name == "paper") return each(file, node, name, check_paper);
    const Reader table = file.part(node, "[" + name + "]");
    if (name == "run") {
        const std::vector<Setting> more = settings(table);
        spec.run.insert(spec.run.end(), more.begin(), more.end());
    } else if (name == "axes") {
        spec.axes = choices(table, run_axes());
    } else if (name == "targets") {
        table.check_keys({"target", "optimum"});
        const std::vector<Setting> more = settings(table);
        spec.run.insert(spec.run.end(), more.begin(), more.end());
    } else if (name == "seeds") {
        table.check_keys({"final", "tuning"});
        spec.seeds = seeds_of(table, "final", spec.seeds);
        spec.tuning_seeds = seeds_of(table, "tuning", spec.tuning_seeds);
    } else if (name == "tuning") {
        spec.tuning = choices(table, tuned_options(), {"extend"});
        if (const toml::node* extend = table.table().get("extend")) {
            const auto times = parse_count(table.text(*extend, "extend"));
            if (!times || *times > 8)
                table.refuse(*extend, "extend cannot be '" + table.text(*extend, "extend") + "'",
                             "it is no whole number up to 8", "say how often a grid may grow, like extend = 2");
            spec.extend = static_cast<unsigned>(*times);
        }
    } else {
        table.check_keys({"title", "note"});
        if (const toml::node* title = table.table().get("title")) spec.title = table.text(*title, "title");
        if (const toml::node* note = table.table().get("note")) spec.note = table.text(*note, "note");
    }
}

toml::table parsed(std::string_view text, std::string_view name) {
    try {
        return toml::parse(text, name);
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
    toml::node* table = file.get(text.substr(0, dot));
    if (table == nullptr) {
        file.insert(text.substr(0, dot), toml::table{});
        table = file.get(text.substr(0, dot));
    }
    if (!table->is_table()) {
        throw Error(Failure::kUsage, "--set cannot change '" + text.substr(0, dot) + "'", "there may be many of these",
                    "change the file");
    }
    const std::string key = text.substr(dot + 1, equals - dot - 1), value = text.substr(equals + 1);
    table->as_table()->insert_or_assign(key, value);
    try {
        const toml::table typed = toml::parse("value = " + value); // a number, a list
        typed.get("value")->visit([&](const auto& node) { table->as_table()->insert_or_assign(key, node); });
    } catch (const toml::parse_error&) {
        return; // a text without quotes
    }
}

} // namespace

Spec parse_spec(std::string_view text, std::string_view name, const std::vector<std::string>& changes) {
    toml::table file = parsed(text, name);
    for (const std::string& each : changes) change(file, each);
    const Reader reader(file, name, "the file");
    reader.check_keys({"run", "axes", "exclude", "override", "seeds", "targets", "tuning", "report", "paper"});
    Spec spec;
    spec.text = text;
    for (const auto& [key, node] : file) read_table(spec, reader, std::string(key.str()), node);
    check_seeds(spec, name);
    return spec;
}

Spec read_spec(const std::filesystem::path& path, const std::vector<std::string>& changes) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file || std::filesystem::is_directory(path)) {
        throw Error(Failure::kUsage, "cannot read " + path.string(), std::strerror(errno),
                    "name the sweep's file, like experiments/specs/quickstart.toml");
    }
    return parse_spec(text.str(), path.string(), changes);
}

} // namespace hogwild
