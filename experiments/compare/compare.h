// Comparisons of configurations, B against A: runs paired by seed, expected costs, their ratio and what may be said of it.
//
// Thread-safe: pure functions; what they return points into the summaries, which must outlive it. Errors: Error
// (Failure::kUsage) where there is nothing to compare.
#pragma once

#include "experiments/compare/compare_groups.h"
#include "experiments/compare/compare_metric.h"
#include "experiments/statistics/judgement.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hogwild {

/// What the paired runs of one side cost.
struct Side {
    std::vector<const SummaryRow*> runs; // by seed
    std::vector<Trial> trials;

    double expected() const { return expected_cost(trials); }
    double median() const { return median_cost(trials); }
};

/// ratio of times = seconds_per_update x updates: how the machine's and the method's part multiply.
struct Split {
    double seconds_per_update, updates;
};

struct Comparison {
    Side a, b;
    std::size_t unpaired = 0; // runs of either whose seed the other lacks
    RatioInterval ratio{};
    Judgement judgement = Judgement::kUndecided;
    std::string reason;         // why undecided, else empty
    std::optional<Split> split; // of times to a target that both sides reached

    const SummaryRow& first() const { return *b.runs.front(); }
};

/// Nothing where the two have no seed in common.
std::optional<Comparison> compare_runs(const Configuration& a, const Configuration& b, const Metric& metric);

struct Compared {
    std::vector<Comparison> list;
    std::vector<Configuration> baselines; // of one folder: what the others were compared with
    std::vector<std::string> notes;
};

/// Every configuration that both folders hold.
Compared compare_folders(const Summary& a, const Summary& b, const Metric& metric);

/// KEY=VALUE pairs: which runs others are compared with. {"kind", "sync"} is of every scheme of that kind
/// (engine/plan/scheme_traits.h).
using Against = std::vector<std::pair<std::string, std::string>>;
Against parse_against(const std::string& text);

/// Serial code: what others are compared with where nobody says otherwise.
Against against_serial();

/// Every configuration with the best of those that `against` names, by expected cost, among those with the same problem,
/// data, l2 and l1.
Compared compare_with_best(const Summary& summary, const Against& against, const Metric& metric);

} // namespace hogwild
