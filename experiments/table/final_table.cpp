#include "experiments/table/final_table.h"

#include "experiments/plans/applies.h"
#include "experiments/table/notes.h"
#include "experiments/table/row_groups.h"
#include "experiments/text/numbers.h"
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
        if (word == "done") continue;
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

std::string update_or_guard(const Plan& plan) {
    const Applies axis = applies(plan);
    if (axis.update) return update_text(plan);
    return axis.guard ? plan.guard : "-";
}

std::string step_text(const Plan& plan) {
    std::string text = fmt::format("{} {}", plan.step.kind, human(plan.step.size));
    if (applies(plan).decay) text += fmt::format(" x {}", human(plan.step.decay));
    return text;
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
    /// An axis gets its column only when it was varied among the rows that have it.
    void add_if_varied(const std::vector<Group>& groups, std::string title,
                       const std::function<std::string(const Plan&)>& of) {
        std::set<std::string> seen;
        for (const Group& group : groups) seen.insert(of(group.plan));
        seen.erase("-");
        if (seen.size() > 1) add(std::move(title), Align::kLeft, [of](const Group& group) { return of(group.plan); });
    }
};

std::string percent_or_dash(double share) { return std::isfinite(share) ? fmt::format("{:.3g} %", 100 * share) : "-"; }

double waiting(const Result& result) {
    return result.outcome.seconds > 0 ? result.outcome.wait_seconds / result.outcome.seconds : kNone;
}

double gpu_share(const Result& result) {
    const Outcome& outcome = result.outcome;
    if (result.plan.device != "both" || outcome.updates == 0) return kNone;
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

} // namespace

std::string report(const std::vector<Result>& results) {
    if (results.empty()) return "";
    const std::vector<Group> groups = by_seed(results);
    const auto any = [&](const auto& holds) { return std::any_of(results.begin(), results.end(), holds); };
    const bool targeted = any(has_target);
    const std::string seeds =
        groups[0].runs.size() > 1 ? fmt::format(", median of {} seeds", groups[0].runs.size()) : "";

    Layout layout;
    layout.add_if_varied(groups, "problem", [](const Plan& plan) { return plan.problem; });
    layout.add("scheme", Align::kLeft, [](const Group& group) { return group.plan.scheme; });
    layout.add("update/guard", Align::kLeft, [](const Group& group) { return update_or_guard(group.plan); });
    if (any([](const Result& result) { return wants_gpu(result.plan); })) {
        layout.add("device", Align::kLeft, [](const Group& group) { return group.plan.device; });
        layout.add("memory", Align::kLeft, [](const Group& group) {
            return group.plan.memory + (std::any_of(group.runs.begin(), group.runs.end(),
                                                    [](const Result* run) { return is_not_atomic(*run); })
                                            ? " (not atomic)"
                                            : "");
        });
    } else {
        layout.add_if_varied(groups, "memory", [](const Plan& plan) { return plan.memory; });
    }
    const auto is_usual = [](const Plan& plan) { return plan.placement == usual_placement(plan); };
    if (any([&](const Result& result) { return !is_usual(result.plan); })) {
        layout.add_if_varied(groups, "placement", [](const Plan& plan) { return plan.placement; });
    }
    layout.add("threads", Align::kRight, [](const Group& group) {
        return group.plan.device == "gpu" ? "-" : std::to_string(group.plan.threads);
    });
    if (any([](const Result& result) { return applies(result.plan).streams; })) {
        layout.add("streams x blocks", Align::kRight, [](const Group& group) {
            if (!applies(group.plan).streams) return std::string("-");
            return fmt::format("{} x {}", group.plan.gpu.streams,
                               applies(group.plan).blocks ? std::to_string(group.plan.gpu.blocks) : "graphs");
        });
        layout.add_if_varied(groups, "hot x rule", [](const Plan& plan) {
            if (!applies(plan).streams) return std::string("-");
            return plan.hot.count > 0 ? fmt::format("{} x {}", plan.hot.count, human(plan.hot.rule)) : "0";
        });
    }
    layout.add_if_varied(groups, "hot", [](const Plan& plan) {
        return applies(plan).hot && plan.device == "cpu" ? std::to_string(plan.hot.count) : std::string("-");
    });
    layout.add_if_varied(groups, "bridge rule, pause", [](const Plan& plan) {
        if (!applies(plan).bridge) return std::string("-");
        return fmt::format("{}, {}", human(plan.bridge.rule), human_seconds(plan.bridge.pause));
    });
    layout.add_if_varied(groups, "delay", [](const Plan& plan) { return human_seconds(plan.delay); });
    layout.add_if_varied(groups, "order", [](const Plan& plan) { return plan.order; });
    layout.add_if_varied(groups, "pin", [](const Plan& plan) { return plan.pin; });
    layout.add_if_varied(groups, "lanes", [](const Plan& plan) { return plan.lanes; });
    layout.add_if_varied(groups, "telemetry", [](const Plan& plan) { return plan.telemetry; });
    for (const std::string_view name : known_names("parameter")) {
        layout.add_if_varied(groups, std::string(name), [name](const Plan& plan) {
            const auto value = parameter(plan, name);
            return value ? whole_or_human(*value, 3) : "-";
        });
    }
    layout.add_if_varied(groups, "network",
                         [](const Plan& plan) { return takes_network(plan.problem) ? plan.network.layers : "-"; });
    layout.add_if_varied(groups, "read", [](const Plan& plan) { return applies(plan).read ? plan.network.read : "-"; });
    layout.add_if_varied(groups, "products",
                         [](const Plan& plan) { return applies(plan).products ? plan.gpu.products : "-"; });
    if (any([](const Result& result) { return result.plan.network.update != "none"; })) { // what "update" does not say
        layout.add("layers", Align::kLeft, [](const Group& group) {
            return applies(group.plan).layer_update ? group.plan.network.update : "-";
        });
    }
    layout.add_if_varied(groups, "optimizer",
                         [](const Plan& plan) { return applies(plan).optimizer ? plan.optimizer.name : "-"; });
    layout.add_if_varied(groups, "state",
                         [](const Plan& plan) { return applies(plan).state ? plan.optimizer.state : "-"; });
    layout.add_if_varied(groups, "beta1",
                         [](const Plan& plan) { return applies(plan).beta1 ? human(plan.optimizer.beta1) : "-"; });
    layout.add_if_varied(groups, "beta2",
                         [](const Plan& plan) { return applies(plan).beta2 ? human(plan.optimizer.beta2) : "-"; });
    layout.add_if_varied(groups, "stale steps", [](const Plan& plan) {
        if (!applies(plan).staleness_rule) return std::string("-");
        return plan.staleness.rule +
               (applies(plan).staleness_limit ? fmt::format(" {}", plan.staleness.limit) : std::string());
    });
    layout.add_if_varied(groups, "warm-up", [](const Plan& plan) { return human(plan.step.warm_up); });
    layout.add_if_varied(groups, "l2", [](const Plan& plan) { return human(plan.l2); });
    layout.add_if_varied(groups, "l1", [](const Plan& plan) { return human(plan.l1); });
    layout.add("step", Align::kLeft, [](const Group& group) { return step_text(group.plan); });
    if (any([](const Result& result) { return applies(result.plan).batch; })) {
        layout.add("batch", Align::kRight, [](const Group& group) {
            return applies(group.plan).batch ? std::to_string(group.plan.batch.size) : "-";
        });
    }
    layout.add_if_varied(groups, "GPU's batch", [](const Plan& plan) {
        return applies(plan).batch_rule ? std::to_string(first_gpu_batch(plan)) : "-";
    });
    layout.add_if_varied(groups, "batches", [](const Plan& plan) {
        if (!applies(plan).batch_rule) return std::string("-");
        return plan.batch.rule + (adapts(plan) ? fmt::format(" to {}", plan.batch.most) : std::string());
    });
    if (any([](const Result& result) { return applies(result.plan).exchange; })) {
        layout.add("exchange", Align::kRight, [](const Group& group) {
            return applies(group.plan).exchange ? std::to_string(group.plan.exchange.period) : "-";
        });
    }
    layout.add_if_varied(groups, "to a model", [](const Plan& plan) {
        return applies(plan).cluster ? std::to_string(plan.exchange.cluster) : "-";
    });
    layout.add_if_varied(groups, "combine", [](const Plan& plan) {
        return applies(plan).combine ? plan.exchange.combine : std::string("-");
    });
    layout.add_if_varied(groups, "doublings", [](const Plan& plan) {
        return applies(plan).doublings ? std::to_string(plan.exchange.doublings) : "-";
    });
    layout.add_if_varied(groups, "coupling",
                         [](const Plan& plan) { return applies(plan).coupling ? exact(plan.exchange.coupling) : "-"; });
    layout.add_if_varied(groups, "backups",
                         [](const Plan& plan) { return applies(plan).backup ? std::to_string(plan.backup) : "-"; });
    layout.add_if_varied(groups, "epochs", [](const Plan& plan) { return std::to_string(plan.epochs); });
    layout.add("status", Align::kLeft, status);
    layout.add("time" + seeds, Align::kRight, [](const Group& group) {
        return with_range(
            group, [](const Result& result) { return result.outcome.seconds; }, human_seconds);
    });
    const bool dense = std::ranges::all_of(results, [](const Result& r) { return takes_network(r.plan.problem); });
    layout.add(dense ? "M images/s" : "M updates/s", Align::kRight,
               [](const Group& group) { return human(group.median_of(updates_per_second) * 1e-6); });
    if (!dense) { // a pixel costs what the network makes of it
        layout.add("M nonzeros/s", Align::kRight,
                   [](const Group& group) { return human(group.median_of(nonzeros_per_second) * 1e-6); });
    }
    layout.add("train loss", Align::kRight, [](const Group& group) {
        return with_range(group, train_loss, [](double loss) { return fmt::format("{:.4g}", loss); });
    });
    if (any([](const Result& result) { return steps_on_doubles(result.plan.scheme); })) {
        const auto gap = [](const Result& result) {
            const std::vector<Observation>& seen = result.outcome.observations;
            return seen.empty() ? kNone : seen.back().optimality_bound;
        };
        layout.add("gap at most", Align::kRight, [=](const Group& group) {
            const double middle = group.median_of(gap);
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
    if (targeted) layout.add("time to target", Align::kRight, target_time);
    add_telemetry(layout, results);
    if (has_serial(groups)) {
        layout.add("speed-up", Align::kRight, [&](const Group& group) -> std::string {
            const Group* serial = yardstick(groups, group.plan);
            const double ratio = serial == nullptr ? kNone : speed(group) / speed(*serial);
            return std::isfinite(ratio) && ratio > 0 ? fmt::format("{:.2f}", ratio) : "-";
        });
    }

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
