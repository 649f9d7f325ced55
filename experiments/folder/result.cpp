#include "experiments/folder/result.h"

#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/names.h"
#include "engine/plan/problem_traits.h"
#include "experiments/files/csv.h"
#include "experiments/folder/measured_columns.h"
#include "experiments/text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hogwild {
namespace {

Scores last_scores(const Outcome& outcome) {
    return outcome.observations.empty() ? kNoScores : outcome.observations.back().scores;
}

double score_named(const Plan& plan, const Scores& scores, std::string_view name) {
    const std::span<const Score> known = problem_traits(plan).scores;
    const auto at = std::ranges::find(known, name, &Score::name);
    return at == known.end() ? kNone : scores[static_cast<std::size_t>(at - known.begin())];
}

} // namespace

double train_loss(const Result& result) {
    return result.outcome.observations.empty() ? kNone : result.outcome.observations.back().train_loss;
}

double score(const Result& result, std::string_view name) {
    return score_named(result.plan, last_scores(result.outcome), name);
}

Watched watched(const Plan& plan, std::string_view target_of) {
    const std::span<const Score> known = problem_traits(plan).scores;
    const auto at = std::ranges::find(known, target_of, &Score::name);
    if (at == known.end()) return {};
    return {static_cast<std::size_t>(at - known.begin()), at->more_is_better};
}

namespace {

Cell cell_of(const Axis& axis, const Plan& plan) {
    if (axis.has_cell != nullptr ? !axis.has_cell(plan) : !applies(axis, plan)) return {};
    if (axis.cell != nullptr) return axis.cell(plan);
    const Value value = value_of(axis, plan);
    if (const auto* real = std::get_if<Real>(&value)) return number_cell(real->value);
    if (const auto* count = std::get_if<std::uint64_t>(&value)) return *count;
    return std::get<std::string>(value);
}

void add_cells(std::vector<Column>& columns, std::span<const Axis* const> axes, const Plan& plan) {
    for (const Axis* row : axes) {
        if (row->column) columns.push_back({row->name, cell_of(*row, plan)});
    }
}

} // namespace

std::vector<Column> axis_columns(const Plan& plan, const std::string& data) {
    std::vector<Column> columns;
    const std::span<const Axis* const> before = axes_before_parameters();
    add_cells(columns, before.first(1), plan);
    columns.push_back({"data", data}); // of the problem
    add_cells(columns, before.subspan(1), plan);
    for (const std::string_view name : known_names("parameter"))
        columns.push_back({name, number_cell(parameter(plan, name).value_or(kNone))});
    add_cells(columns, axes_behind_parameters(), plan);
    return columns;
}

namespace {

/// An observation's scores, in the columns of its problem.
std::vector<Column> score_columns(const Plan& plan, const Scores& scores) {
    std::vector<Column> columns;
    for (const std::string_view name : known_names("score"))
        columns.push_back({name, number_cell(score_named(plan, scores, name))});
    return columns;
}

void add_measured(std::vector<Column>& columns, std::span<const MeasuredColumn> rows, const Result& result) {
    for (const MeasuredColumn& each : rows) columns.push_back({each.name, each.cell(result)});
}

} // namespace

std::vector<Column> row(const Result& result) {
    std::vector<Column> row{{"run", result.run}};
    std::ranges::copy(axis_columns(result.plan, result.data), std::back_inserter(row));
    add_measured(row, measured_before_scores(), result);
    std::ranges::copy(score_columns(result.plan, last_scores(result.outcome)), std::back_inserter(row));
    add_measured(row, measured_behind_scores(), result);
    return row;
}

std::optional<std::string> cpu_gpu_increments(const Outcome& outcome) {
    if (!outcome.gpu.shares_cells) return {};
    return outcome.gpu.cells_are_atomic ? "atomic" : "not atomic";
}

std::string cell_text(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* real = std::get_if<double>(&cell)) return exact(*real);
    if (const auto* count = std::get_if<std::uint64_t>(&cell)) return std::to_string(*count);
    return "";
}

std::string header_line(const std::vector<Column>& row) {
    std::vector<std::string> names;
    for (const Column& column : row) names.emplace_back(column.name);
    return csv_line(names);
}

std::string row_line(const std::vector<Column>& row) {
    std::vector<std::string> texts;
    for (const Column& column : row) texts.push_back(cell_text(column.cell));
    return csv_line(texts);
}

std::string summary_header() {
    const Result none;
    return header_line(row(none));
}

std::string summary_line(const Result& result) { return row_line(row(result)); }

std::string json_line(const std::vector<Column>& row) {
    Json object = Json::object();
    for (const Column& column : row) {
        Json& value = object[std::string(column.name)];
        if (const auto* text = std::get_if<std::string>(&column.cell)) value = *text;
        if (const auto* real = std::get_if<double>(&column.cell)) value = *real;
        if (const auto* count = std::get_if<std::uint64_t>(&column.cell)) value = *count;
    }
    return json_text(object) + '\n';
}

std::string json_line(const Result& result) { return json_line(row(result)); }

std::string trace_text(const Result& result) {
    const auto columns = [&](const Observation& seen) {
        std::vector<Column> columns{{"seconds", seen.seconds},
                                    {"epoch", seen.epoch},
                                    {"updates", seen.updates},
                                    {"train_loss", number_cell(seen.train_loss)},
                                    {"test_loss", number_cell(seen.test_loss)}};
        std::ranges::copy(score_columns(result.plan, seen.scores), std::back_inserter(columns));
        columns.push_back({"optimality_bound", number_cell(seen.optimality_bound)});
        return columns;
    };
    std::string text = header_line(columns({}));
    for (const Observation& seen : result.outcome.observations) text += row_line(columns(seen));
    return text;
}

std::string staleness_text(const Outcome& outcome) {
    std::string text;
    const auto add = [&](const char* device, const StalenessSummary& of) {
        for (const auto& [from, to, steps] : of.counts) text += fmt::format("{},{},{},{}\n", device, from, to, steps);
    };
    add("cpu", outcome.telemetry.staleness);
    add("gpu", outcome.gpu.staleness);
    return text.empty() ? text : "device,from,to,steps\n" + text;
}

std::string layer_staleness_text(const Outcome& outcome) {
    std::string text;
    const auto add = [&](const char* device, const std::vector<StalenessSummary>& layers) {
        for (std::size_t l = 0; l < layers.size(); ++l) {
            for (const auto& [from, to, steps] : layers[l].counts)
                text += fmt::format("{},{},{},{},{}\n", device, l + 1, from, to, steps);
        }
    };
    add("cpu", outcome.telemetry.layers);
    add("gpu", outcome.gpu.layers);
    return text.empty() ? text : "device,layer,from,to,steps\n" + text;
}

std::string batches_text(const Outcome& outcome) {
    std::string text;
    const auto add = [&](const char* device, const DeviceSteps& of) {
        for (const auto& [seconds, batch, steps] : of.batches)
            text += fmt::format("{},{},{},{}\n", device, exact(seconds), batch, steps);
    };
    add("cpu", outcome.batches.cpu);
    add("gpu", outcome.batches.gpu);
    return text.empty() ? text : "device,seconds,batch,steps\n" + text;
}

} // namespace hogwild
