#include "experiments/folder/result.h"

#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "experiments/folder/csv.h"
#include "experiments/text/json.h"
#include "kernels/steps/staleness_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace hogwild {
namespace {

Cell number(double value) { return std::isfinite(value) ? Cell(value) : Cell(); }

Cell when(bool applies, Cell value) { return applies ? std::move(value) : Cell(); }

double last(const Outcome& outcome, double Observation::*field) {
    return outcome.observations.empty() ? kNone : outcome.observations.back().*field;
}

Scores last_scores(const Outcome& outcome) {
    return outcome.observations.empty() ? kNoScores : outcome.observations.back().scores;
}

double score_named(const Plan& plan, const Scores& scores, std::string_view name) {
    const std::span<const Score> known = scores_of(plan.problem);
    const auto at = std::ranges::find(known, name, &Score::name);
    return at == known.end() ? kNone : scores[static_cast<std::size_t>(at - known.begin())];
}

double best_train_loss(const Outcome& outcome) {
    double best = kNone;
    for (const Observation& seen : outcome.observations) {
        if (std::isfinite(seen.train_loss) && !(seen.train_loss >= best)) best = seen.train_loss;
    }
    return best;
}

double per_second(double amount, const Outcome& outcome) {
    return outcome.seconds > 0 ? amount / outcome.seconds : kNone;
}

} // namespace

double train_loss(const Result& result) { return last(result.outcome, &Observation::train_loss); }

double score(const Result& result, std::string_view name) {
    return score_named(result.plan, last_scores(result.outcome), name);
}

Watched watched(const Plan& plan, std::string_view target_of) {
    const std::span<const Score> known = scores_of(plan.problem);
    const auto at = std::ranges::find(known, target_of, &Score::name);
    if (at == known.end()) return {};
    return {static_cast<std::size_t>(at - known.begin()), at->more_is_better};
}

double updates_per_second(const Result& result) {
    return per_second(static_cast<double>(result.outcome.updates), result.outcome);
}

double nonzeros_per_second(const Result& result) {
    return per_second(static_cast<double>(result.outcome.nonzeros), result.outcome);
}

namespace {

Cell cell_of(const Axis& axis, const Plan& plan) {
    if (axis.has_cell != nullptr ? !axis.has_cell(plan) : !applies(axis, plan)) return {};
    if (axis.cell != nullptr) return axis.cell(plan);
    const Value value = value_of(axis, plan);
    if (const auto* real = std::get_if<Real>(&value)) return number(real->value);
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
        columns.push_back({name, number(parameter(plan, name).value_or(kNone))});
    add_cells(columns, axes_behind_parameters(), plan);
    return columns;
}

namespace {

/// An observation's scores, in the columns of its problem.
std::vector<Column> score_columns(const Plan& plan, const Scores& scores) {
    std::vector<Column> columns;
    for (const std::string_view name : known_names("score"))
        columns.push_back({name, number(score_named(plan, scores, name))});
    return columns;
}

std::vector<Column> measured_columns(const Result& result) {
    const Plan& plan = result.plan;
    const Outcome& outcome = result.outcome;
    const Telemetry& telemetry = outcome.telemetry;
    const StalenessSummary& staleness = telemetry.staleness;
    const bool stale = staleness.count > 0, metered = telemetry.increments_issued > 0;
    const bool gpu = device_traits(plan).gpu, gpu_stale = outcome.gpu.staleness.count > 0;
    const bool drops_steps =
        guard_traits(plan).publishes || staleness_rule(plan.staleness.rule) == StalenessRule::kDrop;
    const double epochs =
        result.rows == 0 ? kNone : static_cast<double>(outcome.updates) / static_cast<double>(result.rows);
    std::vector<Column> columns{
        {"seed", plan.seed},
        {"status", outcome.status},
        {"reason", when(!outcome.reason.empty(), outcome.reason)},
        {"seconds", number(outcome.seconds)},
        {"updates", outcome.updates},
        {"updates_per_second", number(updates_per_second(result))},
        {"nonzeros_per_second", number(nonzeros_per_second(result))},
        {"epochs_per_second", number(per_second(epochs, outcome))},
        {"train_loss", number(train_loss(result))},
        {"test_loss", number(last(outcome, &Observation::test_loss))},
    };
    std::ranges::copy(score_columns(plan, last_scores(outcome)), std::back_inserter(columns));
    const std::vector<Column> others{
        {"optimality_bound", number(last(outcome, &Observation::optimality_bound))},
        {"best_train_loss", number(best_train_loss(outcome))},
        {"copy_seconds", number(outcome.copy_seconds)},
        {"wait_share", number(per_second(outcome.wait_seconds, outcome))},
        {"least_share", number(outcome.least_share)},
        {"rebases", outcome.rebases},
        {"core_wait_seconds", number(outcome.disturbance.core_wait_seconds)},
        {"other_cpu_seconds", number(outcome.disturbance.other_cpu_seconds)},
        {"stolen_cpu_seconds", number(outcome.disturbance.stolen_cpu_seconds)},
        {"staleness_mean", when(stale, number(staleness.mean))},
        {"staleness_p50", when(stale, number(staleness.median))},
        {"staleness_p90", when(stale, number(staleness.p90))},
        {"staleness_p99", when(stale, number(staleness.p99))},
        {"staleness_p999", when(stale, number(staleness.p999))},
        {"staleness_max", when(stale, number(staleness.max))},
        {"cpu_gpu_increments", when(outcome.gpu.shares_cells, cpu_gpu_increments(outcome).value_or(""))},
        {"gpu_updates", when(gpu, outcome.gpu.updates)},
        {"cpu_step_count", when(has_two_batches(plan), outcome.batches.cpu.steps)},
        {"gpu_step_count", when(has_two_batches(plan), outcome.batches.gpu.steps)},
        {"bridge_rounds", when(bridges(plan) > 0, outcome.gpu.bridge_rounds)},
        {"gpu_staleness_mean", when(gpu_stale, number(outcome.gpu.staleness.mean))},
        {"gpu_staleness_p50", when(gpu_stale, number(outcome.gpu.staleness.median))},
        {"gpu_staleness_p99", when(gpu_stale, number(outcome.gpu.staleness.p99))},
        {"gpu_staleness_max", when(gpu_stale, number(outcome.gpu.staleness.max))},
        {"increments_issued", when(metered, telemetry.increments_issued)},
        {"increments_lost", when(metered, telemetry.increments_lost)},
        {"increments_dropped", when(update_traits(plan).drops, telemetry.increments_dropped)},
        {"gradients_dropped", when(means::backup(plan), telemetry.gradients_dropped)},
        {"steps_dropped", when(drops_steps, telemetry.steps_dropped)},
        {"target", number(result.target)},
        {"target_of", when(!result.target_of.empty(), result.target_of)},
        {"seconds_to_target", number(result.to_target.seconds)},
        {"updates_to_target", number(result.to_target.updates)},
        {"seconds_to_1e-1", number(result.to_fractions[0].seconds)},
        {"updates_to_1e-1", number(result.to_fractions[0].updates)},
        {"seconds_to_1e-2", number(result.to_fractions[1].seconds)},
        {"updates_to_1e-2", number(result.to_fractions[1].updates)},
        {"seconds_to_1e-3", number(result.to_fractions[2].seconds)},
        {"updates_to_1e-3", number(result.to_fractions[2].updates)},
    };
    columns.insert(columns.end(), others.begin(), others.end());
    return columns;
}

} // namespace

std::vector<Column> row(const Result& result) {
    std::vector<Column> row{{"run", result.run}};
    for (const auto& part : {axis_columns(result.plan, result.data), measured_columns(result)})
        row.insert(row.end(), part.begin(), part.end());
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
                                    {"train_loss", number(seen.train_loss)},
                                    {"test_loss", number(seen.test_loss)}};
        std::ranges::copy(score_columns(result.plan, seen.scores), std::back_inserter(columns));
        columns.push_back({"optimality_bound", number(seen.optimality_bound)});
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
