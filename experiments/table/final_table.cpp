#include "experiments/table/final_table.h"

#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/names.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/folder/result.h"
#include "experiments/table/notes.h"
#include "experiments/table/row_groups.h"
#include "experiments/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace hogwild {
namespace {

std::string status(const Group& group) {
    std::map<std::string, std::size_t> counts;
    for (const Result* run : group.runs) ++counts[run->outcome.status];
    if (counts.size() == 1) return counts.begin()->first;
    std::string text;
    for (const auto& [word, count] : counts) {
        if (status_traits(word).done) continue;
        text += fmt::format("{}{}/{} {}", text.empty() ? "" : ", ", count, group.runs.size(), word);
    }
    return text;
}

/// What stands behind the last space of "27.1 ms"; empty when nothing or more than a number stands before it.
std::string unit_of(const std::string& text) {
    const auto space = text.find(' ');
    return space == std::string::npos || text.find(' ', space + 1) != std::string::npos ? "" : text.substr(space);
}

/// "0.315", with the range over the seeds: "0.315 [0.31 .. 0.33]", a common unit once: "27 [22.9 .. 28.8] ms".
std::string with_range(const Group& group, const std::function<double(const Result&)>& of,
                       const std::function<std::string(double)>& show) {
    std::vector<double> values = group.values(of);
    std::erase_if(values, [](double value) { return std::isnan(value); });
    std::string middle = show(median(values));
    if (values.size() < 2) return middle;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    std::string low = show(*least), high = show(*most), unit = unit_of(middle);
    if (unit_of(low) != unit || unit_of(high) != unit) unit.clear();
    for (std::string* text : {&middle, &low, &high}) text->resize(text->size() - unit.size());
    return fmt::format("{} [{} .. {}]{}", middle, low, high, unit);
}

/// "test error" of test_error.
std::string words_of(std::string_view column) {
    std::string text(column);
    std::ranges::replace(text, '_', ' ');
    return text;
}

std::string target_time(const Group& group) {
    const auto missed =
        std::count_if(group.runs.begin(), group.runs.end(), [](const Result* run) { return !run->to_target.reached; });
    const std::string share = fmt::format("missed {}/{}", missed, group.runs.size());
    const double middle = group.median_of(time_or_forever);
    if (!std::isfinite(middle)) return group.runs.size() == 1 ? "missed" : share;
    return human_seconds(middle) + (missed > 0 ? ", " + share : "");
}

/// Columns in order, each with the function that fills it.
struct Layout {
    struct Entry {
        std::string title;
        Align align;
        std::function<std::string(const Group&)> cell;
    };
    std::vector<Entry> entries;

    void add(std::string title, Align align, std::function<std::string(const Group&)> cell) {
        entries.push_back({std::move(title), align, std::move(cell)});
    }
};

std::string percent_or_dash(double share) { return std::isfinite(share) ? fmt::format("{:.3g} %", 100 * share) : "-"; }

double waiting(const Result& result) {
    return result.outcome.seconds > 0 ? result.outcome.wait_seconds / result.outcome.seconds : kNone;
}

double gpu_share(const Result& result) {
    const Outcome& outcome = result.outcome;
    if (!on_both(result.plan) || outcome.updates == 0) return kNone;
    return static_cast<double>(outcome.gpu.updates) / static_cast<double>(outcome.updates);
}

double mean_batch(std::uint64_t samples, std::uint64_t steps) {
    return steps > 0 ? static_cast<double>(samples) / static_cast<double>(steps) : kNone;
}

double cpu_batch(const Result& result) {
    return mean_batch(result.outcome.updates - result.outcome.gpu.updates, result.outcome.batches.cpu.steps);
}

double gpu_batch(const Result& result) {
    return mean_batch(result.outcome.gpu.updates, result.outcome.batches.gpu.steps);
}

double lost(const Result& result) {
    const Telemetry& telemetry = result.outcome.telemetry;
    if (telemetry.increments_issued == 0) return kNone;
    return static_cast<double>(telemetry.increments_lost) / static_cast<double>(telemetry.increments_issued);
}

/// What was measured beside time and loss, where any run has it.
void add_telemetry(Layout& layout, const std::vector<Result>& results) {
    const auto any = [&](double (*of)(const Result&)) {
        return std::any_of(results.begin(), results.end(), [&](const Result& r) { return std::isfinite(of(r)); });
    };
    if (any(waiting)) {
        layout.add("in barriers", Align::kRight,
                   [](const Group& group) { return percent_or_dash(group.median_of(waiting)); });
    }
    if (any(gpu_share)) {
        layout.add("GPU's share", Align::kRight,
                   [](const Group& group) { return percent_or_dash(group.median_of(gpu_share)); });
    }
    if (any(cpu_batch) && any(gpu_batch)) {
        layout.add("mean batch, CPU / GPU", Align::kRight, [](const Group& group) -> std::string {
            if (!std::isfinite(group.median_of(cpu_batch))) return "-";
            return fmt::format("{:.3g} / {:.3g}", group.median_of(cpu_batch), group.median_of(gpu_batch));
        });
    }
    using Staleness = const StalenessSummary& (*)(const Result&);
    const auto add_staleness = [&](const char* title, Staleness of) {
        if (std::none_of(results.begin(), results.end(), [&](const Result& r) { return of(r).count > 0; })) return;
        layout.add(title, Align::kRight, [of](const Group& group) -> std::string {
            const auto middle = [&](double StalenessSummary::*quantile) {
                return group.median_of([=](const Result& run) { return of(run).*quantile; });
            };
            if (!std::isfinite(middle(&StalenessSummary::median))) return "-";
            double most = 0; // of any seed
            for (const Result* run : group.runs) most = std::max(most, of(*run).max);
            return fmt::format("{:.0f}, {:.0f}, {:.0f}", middle(&StalenessSummary::median),
                               middle(&StalenessSummary::p99), most);
        });
    };
    add_staleness("staleness 50 %, 99 %, max",
                  [](const Result& r) -> const StalenessSummary& { return r.outcome.telemetry.staleness; });
    add_staleness("GPU staleness", [](const Result& r) -> const StalenessSummary& { return r.outcome.gpu.staleness; });
    if (any(lost)) {
        layout.add("lost", Align::kRight, [](const Group& group) { return percent_or_dash(group.median_of(lost)); });
    }
}

/// What an axis has in a row: "-" where it means nothing.
std::string axis_cell(const Axis& axis, const Plan& plan) {
    if (axis.table.cell != nullptr) return axis.table.cell(plan);
    if (!applies(axis, plan)) return "-";
    const Value value = value_of(axis, plan);
    const auto* const real = std::get_if<Real>(&value);
    return real == nullptr ? written(value) : human(real->value);
}

bool is_shown(const Axis& axis, const std::vector<Group>& groups) {
    const auto belongs = [&](const Group& group) {
        return axis.table.among != nullptr ? axis.table.among(group.plan) : applies(axis, group.plan);
    };
    std::set<std::string> seen;
    for (const Group& group : groups) seen.insert(axis_cell(axis, group.plan));
    seen.erase("-");
    const bool any = std::ranges::any_of(groups, belongs), varied = seen.size() > 1;
    switch (axis.table.shown) {
    case Axis::Shown::kNever: return false;
    case Axis::Shown::kAlways: return true;
    case Axis::Shown::kIfAny: return any;
    case Axis::Shown::kIfVaried: return any && varied;
    case Axis::Shown::kIfAnyOrVaried: return any || varied;
    }
    return false;
}

/// A memory whose cells are not incremented atomically by both devices is told.
std::string atomicity_note(const Group& group) {
    return std::ranges::any_of(group.runs, [](const Result* run) { return is_not_atomic(*run); }) ? " (not atomic)"
                                                                                                  : "";
}

void add_axis(Layout& layout, const Axis& axis, const std::vector<Group>& groups) {
    if (!is_shown(axis, groups)) return;
    const Align align = axis.table.right ? Align::kRight : Align::kLeft;
    const bool noted = axis.table.shown == Axis::Shown::kIfAnyOrVaried;
    layout.add(axis.table.title, align, [&axis, noted](const Group& group) {
        return axis_cell(axis, group.plan) + (noted ? atomicity_note(group) : "");
    });
}

/// Where parameters of models stand among the axes.
constexpr int kParametersPlace = 170;

void add_parameters(Layout& layout, const std::vector<Group>& groups) {
    for (const std::string_view name : known_names("parameter")) {
        const auto cell = [name](const Group& group) {
            const auto value = parameter(group.plan, name);
            return value ? whole_or_human(*value, 3) : std::string("-");
        };
        std::set<std::string> seen;
        for (const Group& group : groups) seen.insert(cell(group));
        seen.erase("-");
        if (seen.size() > 1) layout.add(std::string(name), Align::kLeft, cell);
    }
}

void add_axes(Layout& layout, const std::vector<Group>& groups) {
    std::map<int, const Axis*> placed;
    for (const Axis* row : axes()) {
        if (row->table.place > 0) placed.emplace(row->table.place, row);
    }
    const auto behind = placed.upper_bound(kParametersPlace);
    for (auto at = placed.begin(); at != behind; ++at) add_axis(layout, *at->second, groups);
    add_parameters(layout, groups);
    for (auto at = behind; at != placed.end(); ++at) add_axis(layout, *at->second, groups);
}

/// Status, time, and how many updates a second.
void add_throughput(Layout& layout, const std::vector<Result>& results, const std::string& seeds) {
    layout.add("status", Align::kLeft, status);
    layout.add("time" + seeds, Align::kRight, [](const Group& group) {
        return with_range(
            group, [](const Result& result) { return result.outcome.seconds; }, human_seconds);
    });
    const bool dense =
        std::ranges::all_of(results, [](const Result& r) { return problem_traits(r.plan).takes_network; });
    layout.add(dense ? "M images/s" : "M updates/s", Align::kRight,
               [](const Group& group) { return human(group.median_of(updates_per_second) * 1e-6); });
    if (dense) return; // a pixel costs what the network makes of it
    layout.add("M nonzeros/s", Align::kRight,
               [](const Group& group) { return human(group.median_of(nonzeros_per_second) * 1e-6); });
}

double last_bound(const Result& result) {
    const std::vector<Observation>& seen = result.outcome.observations;
    return seen.empty() ? kNone : seen.back().optimality_bound;
}

/// What was reached: the loss, its bound where steps are on doubles, scores, the time to the target.
void add_quality(Layout& layout, const std::vector<Result>& results) {
    const auto any = [&](const auto& holds) { return std::ranges::any_of(results, holds); };
    layout.add("train loss", Align::kRight, [](const Group& group) {
        return with_range(group, train_loss, [](double loss) { return fmt::format("{:.4g}", loss); });
    });
    if (any([](const Result& result) { return scheme_traits(result.plan).steps_on_doubles(); })) {
        layout.add("gap at most", Align::kRight, [](const Group& group) {
            const double middle = group.median_of(last_bound);
            return std::isfinite(middle) ? fmt::format("{:.1e}", middle) : std::string("-");
        });
    }
    for (const std::string_view score : known_names("score")) {
        const auto of = [score](const Result& result) { return hogwild::score(result, score); };
        if (!any([&](const Result& result) { return std::isfinite(of(result)); })) continue;
        const bool share = score == "test_error";
        layout.add(words_of(score), Align::kRight, [=](const Group& group) {
            return with_range(group, of, [=](double value) {
                return share ? fmt::format("{:.2f} %", 100 * value) : whole_or_human(value, 4);
            });
        });
    }
    if (any(has_target)) layout.add("time to target", Align::kRight, target_time);
}

void add_speedup(Layout& layout, const std::vector<Group>& groups) {
    if (!has_serial(groups)) return;
    layout.add("speed-up", Align::kRight, [&groups](const Group& group) -> std::string {
        const Group* serial = yardstick(groups, group.plan);
        const double ratio = serial == nullptr ? kNone : speed(group) / speed(*serial);
        return std::isfinite(ratio) && ratio > 0 ? fmt::format("{:.2f}", ratio) : "-";
    });
}

} // namespace

std::string report(const std::vector<Result>& results) {
    if (results.empty()) return "";
    const std::vector<Group> groups = by_seed(results);
    const std::size_t repeats = groups[0].runs.size();
    Layout layout;
    add_axes(layout, groups);
    add_throughput(layout, results, repeats > 1 ? fmt::format(", median of {} seeds", repeats) : "");
    add_quality(layout, results);
    add_telemetry(layout, results);
    add_speedup(layout, groups);

    TextTable table;
    for (const auto& entry : layout.entries) table.add_column(entry.title, entry.align);
    for (const Group& group : groups) {
        std::vector<std::string> cells;
        for (const auto& entry : layout.entries) cells.push_back(entry.cell(group));
        table.add_row(std::move(cells));
    }
    return table.text() + footnotes(results, groups);
}

} // namespace hogwild
