#include "experiments/compare/compare_metric.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/record/status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace hogwild {
namespace {

constexpr const char* kTarget = "target"; // its column, too

std::vector<Metric> all_metrics() {
    std::vector<Metric> all;
    for (const char* reach : {kTarget, "1e-1", "1e-2", "1e-3"}) {
        all.push_back({Metric::Kind::kTime, reach, ""});
        all.push_back({Metric::Kind::kUpdates, reach, ""});
    }
    for (const char* of : {"updates", "nonzeros", "epochs"}) {
        all.push_back({Metric::Kind::kRate, "", fmt::format("{}_per_second", of)});
    }
    return all;
}

std::string reach_column(const Metric& metric) {
    return (metric.kind == Metric::Kind::kTime ? "seconds_to_" : "updates_to_") + metric.reach;
}

} // namespace

std::string Metric::name() const {
    if (kind == Kind::kTime) return "time-to-" + reach;
    if (kind == Kind::kUpdates) return "updates-to-" + reach;
    std::string text = rate_column;
    for (char& c : text) c = c == '_' ? '-' : c;
    return text;
}

std::string Metric::show(double cost) const {
    if (!std::isfinite(cost)) return "-";
    if (kind == Kind::kTime) return human_seconds(cost);
    const double shown = value(cost);
    return shown >= 1e6 ? human(shown * 1e-6) + " M" : human(shown);
}

std::vector<std::string> Metric::columns() const {
    if (is_rate()) return {rate_column};
    std::vector<std::string> columns{"seconds_to_" + reach, "updates_to_" + reach};
    if (is_of_target()) columns.emplace_back(kTarget);
    return columns;
}

bool Metric::is_of_target() const { return reach == kTarget; }

std::string Metric::needed_column() const {
    if (is_rate()) return rate_column;
    return is_of_target() ? kTarget : "seconds_to_" + reach;
}

std::string metric_names() {
    std::vector<std::string> names;
    for (const Metric& metric : all_metrics()) names.push_back(metric.name());
    return fmt::format("{}", fmt::join(names, "|"));
}

Metric parse_metric(const std::string& text) {
    for (Metric& metric : all_metrics()) {
        if (metric.name() == text) return std::move(metric);
    }
    throw Error(Failure::kUsage, "--metric cannot be '" + text + "'", "nothing is measured under that name",
                "known: " + metric_names());
}

Metric in_updates(const Metric& metric) { return {Metric::Kind::kUpdates, metric.reach, ""}; }

Trial trial_of(const SummaryRow& row, const Metric& metric) {
    const StatusTraits status = status_traits(row.text("status"));
    const bool hopeless = status.is_hopeless();
    const double seconds = row.number("seconds").value_or(0);
    if (metric.is_rate()) {
        const double consumed = row.number(metric.rate_column).value_or(0) * seconds;
        return {seconds, status.done ? consumed : 0, hopeless ? 0 : consumed};
    }
    const double might_gain = hopeless ? 0 : 1;
    const auto reached = row.number(reach_column(metric));
    if (reached && !hopeless) return {*reached, 1, 1};
    return {metric.kind == Metric::Kind::kTime ? seconds : row.number("updates").value_or(0), 0, might_gain};
}

} // namespace hogwild
