// What `hogwild compare` can compare: a quantity of a summary.csv row as something spent for something gained.
//
//   time-to-X, updates-to-X    spent until X was reached; a run that missed it spent all it had and gained nothing
//   ...-per-second             seconds spent for what was consumed; only of runs that were done
//
// A run that diverged or failed is censored and could not have succeeded later, one that missed or was interrupted could.
// Thread-safe: plain values and pure functions. Errors: Error (Failure::kUsage).
#pragma once

#include "experiments/folder/summary_rows.h"
#include "experiments/statistics/expected_cost.h"

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct Metric {
    enum class Kind { kTime, kUpdates, kRate };
    Kind kind;
    std::string reach;       // "target", "1e-1", ...; empty for a rate
    std::string rate_column; // of a rate

    bool is_rate() const { return kind == Kind::kRate; }
    std::string name() const;

    /// A cost in this metric's units: "27.1 ms", "5.2e+05", "8.19 M/s"; "-" when not finite.
    std::string show(double cost) const;

    /// A cost as the number that people expect: of a rate its reciprocal.
    double value(double cost) const { return is_rate() ? 1 / cost : cost; }

    std::vector<std::string> columns() const;
};

/// "time-to-target|time-to-1e-1|..."
std::string metric_names();

Metric parse_metric(const std::string& text);

/// The same goal, counted in updates.
Metric in_updates(const Metric& metric);

Trial trial_of(const SummaryRow& row, const Metric& metric);

} // namespace hogwild
