#include "experiments/compare/compare_report.h"

#include "engine/network/network.h"
#include "engine/numbers.h"
#include "engine/plan/names.h"
#include "experiments/compare/compare_settings.h"
#include "experiments/compare/describe_configuration.h"
#include "experiments/compare/verdict_row.h"
#include "experiments/folder/unseen_settings.h"
#include "experiments/text/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>

namespace hogwild {
namespace {

using Cells = std::function<std::string(const Comparison&)>;

std::string factor(double ratio) {
    if (std::isnan(ratio)) return "-";
    constexpr double kNear = 0.1; // on which side of 1 it lies must show
    return std::isinf(ratio) ? "inf" : human(ratio, std::abs(ratio - 1) < kNear ? 4 : 3);
}

std::string with_interval(double ratio, double low, double high) {
    return fmt::format("{} [{} .. {}]", factor(ratio), factor(low), factor(high));
}

/// "27.1 ms", "27.1 ms, 3/5": how many of the runs got there, where not all did.
std::string median_text(const Side& side, const Metric& metric) {
    const std::size_t reached = successes(side.trials), runs = side.trials.size();
    const std::string share = fmt::format("{}/{}", reached, runs);
    if (reached == 0) return share;
    return metric.show(side.median()) + (reached < runs ? ", " + share : "");
}

/// The median over the runs of one quantity for either side: "3 | 4".
std::string both(const Comparison& of, const std::function<std::string(const Side&)>& show) {
    return show(of.a) + " | " + show(of.b);
}

std::string quantiles(const Side& side, const std::string& prefix) {
    const auto middle = median_of(side, prefix + "_p50");
    if (!middle) return "-";
    return fmt::format("{:.0f}, {:.0f}, {:.0f}", *middle, median_of(side, prefix + "_p99").value_or(NAN),
                       median_of(side, prefix + "_max").value_or(NAN));
}

std::string percent(std::optional<double> share) { return share ? fmt::format("{:.3g} %", 100 * *share) : "-"; }

struct Layout {
    std::vector<Cells> cells;
    TextTable table;

    void add(std::string title, Align align, Cells cell) {
        table.add_column(std::move(title), align);
        cells.push_back(std::move(cell));
    }
    /// Only where a row has something to show.
    void add_if_any(const std::vector<Comparison>& list, std::string title, const Cells& cell) {
        if (std::ranges::any_of(list, [&](const Comparison& of) { return cell(of) != "- | -"; })) {
            add(std::move(title), Align::kRight, cell);
        }
    }
};

/// Ratios as B / A or, for speed-ups, of a cost upside down.
void add_ratios(Layout& layout, const std::vector<Comparison>& list, const Metric& metric, bool speed_up) {
    const bool upside_down = speed_up || metric.is_rate();
    layout.add(speed_up ? "speed-up [95 %]" : "B / A [95 %]", Align::kRight, [=](const Comparison& of) {
        const RatioInterval& r = of.ratio;
        return upside_down ? with_interval(1 / r.ratio, 1 / r.high, 1 / r.low) : with_interval(r.ratio, r.low, r.high);
    });
    if (std::ranges::none_of(list, [](const Comparison& of) { return of.split.has_value(); })) return;
    const auto part = [=](double Split::*field) {
        return [=](const Comparison& of) -> std::string {
            if (!of.split) return "-";
            const double ratio = (*of.split).*field;
            return factor(upside_down ? 1 / ratio : ratio);
        };
    };
    layout.add(upside_down ? "= updates/s" : "= s/update", Align::kRight, part(&Split::seconds_per_update));
    layout.add(upside_down ? "x 1/updates" : "x updates", Align::kRight, part(&Split::updates));
}

std::string verdict_text(const Comparison& of) {
    return std::string(name(of.judgement)) + (of.reason.empty() ? "" : " (" + of.reason + ")");
}

/// The network that all serve with; empty: they have none, or several.
std::string network_of_all(const std::vector<Configuration>& baselines) {
    const std::string network = baselines[0].asked("network");
    const auto has_it = [&](const Configuration& each) { return each.asked("network") == network; };
    return std::ranges::all_of(baselines, has_it) ? network : "";
}

/// ", rank 32, biases 1": of the model. `said`: a network that needs no words.
std::string parameters_of(const SummaryRow& row, const std::string& said) {
    std::string text;
    for (const std::string_view name : known_names("parameter")) {
        if (!row.text(name).empty()) text += fmt::format(", {} {}", name, asked_cell(row, name));
    }
    if (row.text("network") != said) text += ", network " + short_text(row.text("network"));
    return text;
}

std::string heading(const Compared& compared, const Metric& metric, const std::string& folder_a,
                    const std::string& folder_b) {
    const std::string apart = settings_apart(compared.list),
                      title = metric.name() + (apart.empty() ? "" : ", ") + apart;
    if (compared.baselines.empty()) return fmt::format("{}\nA: {}\nB: {}\n\n", title, folder_a, folder_b);
    const std::string network = network_of_all(compared.baselines);
    std::string text =
        fmt::format("{}, {}{}\n", title, folder_b, network.empty() ? "" : ", network " + short_text(network));
    for (const Configuration& baseline : compared.baselines) {
        std::vector<Trial> trials;
        for (const auto& [seed, row] : baseline.runs) trials.push_back(trial_of(*row, metric));
        const std::string delay = asked_cell(baseline.first(), "delay");
        const std::string l1 = baseline.asked("l1").empty() ? "" : ", l1 " + asked_cell(baseline.first(), "l1");
        text += fmt::format("A: {} ({}, {}, epochs {}, l2 {}{}): median {}, {} of {} runs {}\n",
                            describe_configuration(baseline.first(), {"epochs"}), baseline.asked("problem"),
                            baseline.asked("data"), asked_cell(baseline.first(), "epochs"),
                            asked_cell(baseline.first(), "l2"),
                            l1 + parameters_of(baseline.first(), network) + (delay == "0" ? "" : ", delay " + delay),
                            metric.show(median_cost(trials)), successes(trials), trials.size(),
                            metric.is_rate() ? "were done" : "got there");
    }
    return text + "B: each line\n\n";
}

/// What all rows have: of two folders those of both.
std::string alike(const std::vector<Comparison>& list, std::vector<std::string_view> said, bool speed_up) {
    std::vector<const SummaryRow*> rows;
    for (const Comparison& of : list) {
        rows.push_back(&of.first());
        if (!speed_up) rows.push_back(of.a.runs.front());
    }
    if (speed_up) std::ranges::copy(objective_columns(), std::back_inserter(said)); // by the heading
    return in_every_row(rows, said);
}

std::string footnotes(const Compared& compared, const Metric& metric, bool speed_up) {
    std::string text = "expected: what all runs spent over how many got there";
    text += metric.is_rate() ? "; here the rate over all runs\n" : ", those that missed counted with all they spent\n";
    text += speed_up ? "speed-up: expected A / expected B" : "B / A: of the expected values";
    text += ", runs paired by seed, interval: the wider of a bootstrap and a t interval; SAME: all of it within 5 %\n";
    if (std::ranges::any_of(compared.list,
                            [](const Comparison& of) { return median_of(of.b, "ceiling_share").has_value(); }))
        text += "of ceiling: nonzeros/s over the lower of measured read bandwidth / 8 B and measured random "
                "increments/s; steps "
                "that write nothing pass the second\n";
    for (const std::string& note : compared.notes) text += note + "\n";
    std::map<std::string_view, std::size_t> counts;
    for (const Comparison& of : compared.list) ++counts[name(of.judgement)];
    std::vector<std::string> words;
    for (const auto& [word, count] : counts) words.push_back(fmt::format("{} {}", count, word));
    text += fmt::format("{}\n", fmt::join(words, ", "));
    if (counts.contains(name(Judgement::kUndecided))) text += "more seeds narrow an interval that is undecided\n";
    return text;
}

} // namespace

std::string compare_report(const Compared& compared, const Metric& metric, const std::string& folder_a,
                           const std::string& folder_b) {
    const bool speed_up = !compared.baselines.empty();
    const std::vector<Comparison>& list = compared.list;
    Layout layout;
    layout.add("scheme", Align::kLeft, [](const Comparison& of) { return of.first().text("scheme"); });
    layout.add("update/guard", Align::kLeft, [](const Comparison& of) { return update_or_guard(of.first()); });
    const std::vector<std::string_view> telling = telling_columns(list);
    for (const std::string_view column : telling) {
        layout.add(std::string(column), column == "threads" ? Align::kRight : Align::kLeft,
                   [column](const Comparison& of) { return asked_cell(of.first(), column); });
    }
    for (const std::string_view column : unseen_columns()) {
        if (speed_up) break; // a baseline's stands in its heading
        const auto pair = [column](const Comparison& of) {
            return asked_cell(*of.a.runs.front(), column) + " | " + asked_cell(of.first(), column);
        };
        const auto differs = [&](const Comparison& of) {
            return asked_cell(*of.a.runs.front(), column) != asked_cell(of.first(), column);
        };
        if (std::ranges::any_of(list, differs)) layout.add(words_of_column(column) + ": A | B", Align::kRight, pair);
    }
    layout.add("seeds", Align::kRight, [](const Comparison& of) { return std::to_string(of.a.runs.size()); });
    if (!speed_up) {
        layout.add("median A", Align::kRight, [=](const Comparison& of) { return median_text(of.a, metric); });
        layout.add("expected A", Align::kRight, [=](const Comparison& of) { return metric.show(of.a.expected()); });
    }
    layout.add(speed_up ? "median" : "median B", Align::kRight,
               [=](const Comparison& of) { return median_text(of.b, metric); });
    layout.add(speed_up ? "expected" : "expected B", Align::kRight,
               [=](const Comparison& of) { return metric.show(of.b.expected()); });
    add_ratios(layout, list, metric, speed_up);
    for (const std::string prefix : {"staleness", "gpu_staleness"}) {
        layout.add_if_any(
            list, prefix == "staleness" ? "staleness 50 %, 99 %, max: A | B" : "GPU staleness: A | B",
            [=](const Comparison& of) { return both(of, [=](const Side& side) { return quantiles(side, prefix); }); });
    }
    layout.add_if_any(list, "lost: A | B", [](const Comparison& of) {
        return both(of,
                    [](const Side& side) { return percent(median_of(side, "increments_lost", "increments_issued")); });
    });
    layout.add_if_any(list, "of ceiling: A | B", [](const Comparison& of) {
        return both(of, [](const Side& side) { return percent(median_of(side, "ceiling_share")); });
    });
    layout.add("verdict", Align::kLeft, verdict_text);

    for (const Comparison& of : list) {
        std::vector<std::string> row;
        for (const Cells& cell : layout.cells) row.push_back(cell(of));
        layout.table.add_row(std::move(row));
    }
    return heading(compared, metric, folder_a, folder_b) + layout.table.text() + alike(list, telling, speed_up) +
           footnotes(compared, metric, speed_up);
}

} // namespace hogwild
