#include "experiments/sweep/spec/spec_paper.h"

#include "engine/plan/names.h"
#include "experiments/sweep/spec/spec_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hogwild {
namespace {

constexpr const char* kTexts[] = {"source", "hardware", "data", "what", "unit", "column", "note"};

/// Columns of summary.csv.
std::vector<std::string_view> measured_columns() {
    std::vector<std::string_view> columns{
        "seconds",         "updates_per_second", "nonzeros_per_second", "epochs_per_second", "train_loss",
        "test_loss",       "seconds_to_target",  "updates_to_target",   "seconds_to_1e-1",   "updates_to_1e-1",
        "seconds_to_1e-2", "updates_to_1e-2",    "seconds_to_1e-3",     "updates_to_1e-3"};
    std::ranges::copy(known_names("score"), std::back_inserter(columns));
    return columns;
}

const toml::node& needed(const SpecReader& table, const std::string& key) {
    if (const toml::node* node = table.table().get(key)) return *node;
    table.refuse(table.table(), "a [[paper]] lacks `" + key + "`", "a reader could not tell what its number means",
                 "add it; docs/reference/sweep-file.md shows one");
}

void check_texts(const SpecReader& table) {
    for (const char* key : kTexts) {
        const toml::node& node = needed(table, key);
        if (!node.is_string())
            table.refuse(node, std::string(key) + " of a [[paper]] is no text", "the report prints it",
                         "write it in quotes");
    }
    const toml::node& column = needed(table, "column");
    const std::string name = table.text(column, "column");
    const auto known = measured_columns();
    if (std::ranges::find(known, name) == known.end())
        table.refuse(column, "column of a [[paper]] cannot be '" + name + "'",
                     fmt::format("known: {}", fmt::join(known, ", ")), "use one of these");
}

void check_value(const SpecReader& table) {
    const toml::node& value = needed(table, "value");
    if (!value.is_number() || !std::isfinite(value.value<double>().value_or(NAN)))
        table.refuse(value, "value of a [[paper]] is no number", "it stands beside one of ours",
                     "write it without its unit");
}

/// Runs are those of summary.csv, which has a column for each axis but the factor that a step was tuned by.
std::vector<Setting> runs_of(const SpecReader& table, const toml::node& runs, const char* key) {
    std::vector<std::string> axes = run_axes();
    std::erase(axes, "step-scale");
    return table.part(runs, std::string(key) + " of a [[paper]]").settings(axes);
}

} // namespace

Paper read_paper(const SpecReader& table) {
    table.check_keys({"source", "hardware", "data", "what", "value", "unit", "column", "where", "over", "note"});
    check_texts(table);
    check_value(table);
    Paper paper{runs_of(table, needed(table, "where"), "where"), {}};
    if (const toml::node* over = table.table().get("over")) paper.over = runs_of(table, *over, "over");
    return paper;
}

} // namespace hogwild
