#include "experiments/compare/describe_configuration.h"

#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/plan.h"
#include "experiments/compare/compare_groups.h"
#include "experiments/compare/compare_settings.h"

#include <fmt/format.h>

#include <algorithm>

namespace hogwild {
namespace {

/// A part of the sentence: the columns that it tells, and how.
struct Phrase {
    std::vector<std::string_view> columns;
    std::string (*text)(const SummaryRow&);
};

/// Whether the cell is empty, or has the default of a plan.
bool is_usual(const SummaryRow& row, std::string_view column) {
    const std::string& cell = row.text(column);
    const std::string usual = written(value_of(axis(column), Plan{}));
    const auto number = parse_real(cell), usual_number = parse_real(usual);
    return cell.empty() || cell == usual || (number && usual_number && *number == *usual_number);
}

/// ", batch 256"; nothing of an empty cell.
std::string words(const SummaryRow& row, std::string_view column, std::string_view before,
                  std::string_view after = {}) {
    const std::string& cell = row.text(column);
    return cell.empty() ? "" : fmt::format(", {}{}{}", before, setting_text(cell), after);
}

std::string unusual(const SummaryRow& row, std::string_view column, std::string_view before,
                    std::string_view after = {}) {
    return is_usual(row, column) ? "" : words(row, column, before, after);
}

/// ", 2 threads", ", 1 backup".
std::string number_of(const SummaryRow& row, std::string_view column, std::string_view one) {
    return words(row, column, "", fmt::format(" {}{}", one, row.text(column) == "1" ? "" : "s"));
}

std::string method_text(const SummaryRow& row) {
    std::string text = row.text("scheme");
    for (const std::string& part : {row.text("update"), guard_of(row)}) {
        if (!part.empty()) text += " " + part;
    }
    return text;
}

/// Where a GPU steps, its memory is named in any case.
std::string place_text(const SummaryRow& row) {
    if (is_usual(row, "device")) return unusual(row, "memory", "memory ");
    return fmt::format(", {} on {}", row.text("device"), row.text("memory"));
}

/// Streams without blocks replay graphs.
std::string streams_text(const SummaryRow& row) {
    const std::string& blocks = row.text("blocks");
    return words(row, "streams", "", " x " + (blocks.empty() ? "graphs" : blocks + " blocks"));
}

std::string step_text(const SummaryRow& row) {
    const std::string decay = setting_text(row.text("decay"));
    return fmt::format(", step {} {}{}", row.text("step"), setting_text(row.text("step_size")),
                       decay.empty() ? "" : " x " + decay);
}

const std::vector<Phrase>& parts() {
    using Row = const SummaryRow&;
    static const std::vector<Phrase> kParts{
        {{"scheme", "update", "guard"}, method_text},
        {{"device", "memory"}, place_text},
        {{"threads"}, [](Row row) { return number_of(row, "threads", "thread"); }},
        {{"streams", "blocks", "gpu_steps"}, streams_text},
        {{"products"}, [](Row row) { return words(row, "products", "products in "); }},
        {{"step", "step_size", "decay"}, step_text},
        {{"warm_up"}, [](Row row) { return words(row, "warm_up", "warm-up "); }},
        {{"batch"}, [](Row row) { return words(row, "batch", "batch "); }},
        {{"gpu_batch"}, [](Row row) { return unusual(row, "gpu_batch", "", " on the GPU"); }},
        {{"batch_rule"}, [](Row row) { return unusual(row, "batch_rule", "", " batches"); }},
        {{"batch_most"}, [](Row row) { return words(row, "batch_most", "up to "); }},
        {{"exchange"}, [](Row row) { return words(row, "exchange", "exchange "); }},
        {{"cluster"}, [](Row row) { return words(row, "cluster", "", " to a model"); }},
        {{"combine"}, [](Row row) { return words(row, "combine", ""); }},
        {{"exchange_doublings"}, [](Row row) { return words(row, "exchange_doublings", "2^", " times the exchange"); }},
        {{"coupling"}, [](Row row) { return words(row, "coupling", "coupling "); }},
        {{"backup"}, [](Row row) { return number_of(row, "backup", "backup"); }},
        {{"layer_update"}, [](Row row) { return unusual(row, "layer_update", "layers "); }},
        {{"optimizer"}, [](Row row) { return unusual(row, "optimizer", ""); }},
        {{"staleness_rule"}, [](Row row) { return unusual(row, "staleness_rule", "stale steps "); }},
        {{"staleness_limit"}, [](Row row) { return words(row, "staleness_limit", "limit "); }},
    };
    return kParts;
}

/// Columns that no part tells, but for those of what is minimised, in which all that are compared agree.
const std::vector<std::string_view>& other_columns() {
    static const std::vector<std::string_view> kColumns = [] {
        std::vector<std::string_view> told = objective_columns();
        for (const Phrase& part : parts()) told.insert(told.end(), part.columns.begin(), part.columns.end());
        std::vector<std::string_view> columns = asked_columns();
        std::erase_if(columns, [&](auto column) { return std::ranges::find(told, column) != told.end(); });
        return columns;
    }();
    return kColumns;
}

} // namespace

std::string describe_configuration(const SummaryRow& row, const std::vector<std::string_view>& said) {
    std::string text;
    for (const Phrase& part : parts()) text += part.text(row);
    for (const std::string_view column : other_columns()) {
        if (std::ranges::find(said, column) == said.end()) text += unusual(row, column, words_of_column(column) + ' ');
    }
    return text;
}

} // namespace hogwild
