#include "experiments/compare/verdict_row.h"

#include "engine/numbers.h"
#include "experiments/compare/compare_settings.h"
#include "experiments/compare/describe_configuration.h"
#include "experiments/folder/unseen_settings.h"
#include "experiments/table/final_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

namespace hogwild {
namespace {

Cell number(std::optional<double> value) { return value && std::isfinite(*value) ? Cell(*value) : Cell(); }

Cell text(const std::string& value) { return value.empty() ? Cell() : Cell(value); }

/// Words stay words, numbers become numbers, whole ones whole.
Cell typed(const std::string& cell) {
    if (const auto count = parse_count(cell)) return *count;
    if (const auto real = parse_real(cell)) return *real;
    return text(cell);
}

/// The ratio of values: of a rate more is better, and a ratio of costs has its reciprocal.
RatioInterval of_values(const RatioInterval& costs, const Metric& metric) {
    if (!metric.is_rate()) return costs;
    return {1 / costs.ratio, 1 / costs.high, 1 / costs.low};
}

Cell names_of(const Side& side) {
    std::vector<std::string> names;
    for (const SummaryRow* row : side.runs) names.push_back(row->text("run"));
    return fmt::format("{}", fmt::join(names, " "));
}

} // namespace

std::optional<double> median_of(const Side& side, std::string_view column, std::string_view per) {
    std::vector<double> values;
    for (const SummaryRow* row : side.runs) {
        const auto value = row->number(column);
        const auto by = per.empty() ? std::optional<double>(1) : row->number(per);
        if (value && by && *by > 0) values.push_back(*value / *by);
    }
    if (values.empty()) return {};
    return median(std::move(values));
}

std::vector<Column> verdict_row(const Comparison& of, const Metric& metric, const std::string& folder_a,
                                const std::string& folder_b) {
    std::vector<Column> row{{"metric", metric.name()}, {"a", folder_a}, {"b", folder_b}};
    for (const std::string_view column : asked_columns()) {
        const std::string& cell = of.first().text(column);
        row.push_back({column, holds_names(column) ? text(cell) : typed(cell)});
    }
    for (const std::string_view column : unseen_columns()) {
        if (of.first().cells.contains(column)) row.push_back({column, typed(of.first().text(column))});
    }
    const RatioInterval ratio = of_values(of.ratio, metric);
    const auto value = [&](double cost) { return number(metric.value(cost)); };
    const std::vector<Column> statistics{
        {"against", describe_configuration(*of.a.runs.front())},
        {"runs_a", names_of(of.a)},
        {"runs_b", names_of(of.b)},
        {"seeds", std::uint64_t{of.a.runs.size()}},
        {"reached_a", std::uint64_t{successes(of.a.trials)}},
        {"reached_b", std::uint64_t{successes(of.b.trials)}},
        {"median_a", value(of.a.median())},
        {"median_b", value(of.b.median())},
        {"expected_a", value(of.a.expected())},
        {"expected_b", value(of.b.expected())},
        {"ratio", number(ratio.ratio)},
        {"ratio_low", number(ratio.low)},
        {"ratio_high", number(ratio.high)},
        {"verdict", std::string(name(of.judgement))},
        {"reason", text(of.reason)},
        {"seconds_per_update_ratio", of.split ? number(of.split->seconds_per_update) : Cell()},
        {"updates_ratio", of.split ? number(of.split->updates) : Cell()},
    };
    row.insert(row.end(), statistics.begin(), statistics.end());

    struct Measured {
        std::string_view name_a, name_b, column, per;
    };
    static constexpr std::array<Measured, 8> kMeasured{{
        {"staleness_p50_a", "staleness_p50_b", "staleness_p50", {}},
        {"staleness_p99_a", "staleness_p99_b", "staleness_p99", {}},
        {"staleness_max_a", "staleness_max_b", "staleness_max", {}},
        {"gpu_staleness_p50_a", "gpu_staleness_p50_b", "gpu_staleness_p50", {}},
        {"gpu_staleness_p99_a", "gpu_staleness_p99_b", "gpu_staleness_p99", {}},
        {"gpu_staleness_max_a", "gpu_staleness_max_b", "gpu_staleness_max", {}},
        {"lost_share_a", "lost_share_b", "increments_lost", "increments_issued"},
        {"ceiling_share_a", "ceiling_share_b", "ceiling_share", {}},
    }};
    for (const Measured& of_telemetry : kMeasured) {
        row.push_back({of_telemetry.name_a, number(median_of(of.a, of_telemetry.column, of_telemetry.per))});
        row.push_back({of_telemetry.name_b, number(median_of(of.b, of_telemetry.column, of_telemetry.per))});
    }
    return row;
}

} // namespace hogwild
