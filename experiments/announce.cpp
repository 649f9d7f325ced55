#include "experiments/announce.h"

#include "experiments/applies.h"
#include "experiments/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace hogwild {

void Announce::lines(const std::vector<std::string>& lines) const {
    if (!wanted_) return;
    for (const std::string& line : lines) fmt::print(stderr, "{}\n", line);
}

void Announce::data(std::string_view role, const Dataset& data, const LoadReport& report) const {
    const SparseView view = data.view();
    const char* how = report.from_cache ? "taken from the cache" : report.text_bytes > 0 ? "parsed" : "generated";
    lines({fmt::format("{}: {}, {} samples, {} columns, {} nonzeros, {} in {}", role, data.name(), grouped(view.rows),
                       grouped(view.columns), grouped(view.nonzeros()), how, human_seconds(report.parse_seconds))});
    if (!report.note.empty()) lines({"note: " + report.note});
}

std::vector<std::string> default_lines(const Axes& axes, const std::vector<Plan>& plans) {
    std::vector<std::string> lines;
    for (const Plan& plan : plans) {
        const Applies axis = applies(plan);
        std::vector<std::string> taken;
        if (axes.step.empty()) taken.push_back(fmt::format("--step {}", plan.step.kind));
        if (axes.step_size.empty()) taken.push_back(fmt::format("--step-size {}", exact(plan.step.size)));
        if (axes.decay.empty() && axis.decay) taken.push_back(fmt::format("--decay {}", exact(plan.step.decay)));
        if (axes.batch.empty() && axis.batch) taken.push_back(fmt::format("--batch {}", plan.batch));
        if (axes.exchange.empty() && axis.exchange) taken.push_back(fmt::format("--exchange {}", plan.exchange));
        if (axes.l2.empty()) taken.push_back(fmt::format("--l2 1/n (= {})", human(plan.l2)));
        if (axes.epochs.empty()) taken.push_back(fmt::format("--epochs {}", plan.epochs));
        if (taken.empty()) continue;
        std::string line = fmt::format("defaults of {} {}: {}", plan.problem, plan.scheme, fmt::join(taken, " "));
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
    }
    return lines;
}

void Announce::defaults(const Axes& axes, const std::vector<Plan>& plans) const { lines(default_lines(axes, plans)); }

void Announce::capped(const CoreBudget& budget) const {
    fmt::print(stderr,
               "warning: --threads capped at {} usable core{} (affinity {}, quota {}); --oversubscribe runs as many as "
               "asked\n",
               budget.usable, budget.usable == 1 ? "" : "s", budget.affinity,
               budget.quota == 0 ? "none" : std::to_string(budget.quota));
}

void Announce::oversubscription(const std::vector<Plan>& plans, const CoreBudget& budget) const {
    unsigned most = 0;
    for (const Plan& plan : plans) most = std::max(most, plan.threads);
    if (most <= budget.usable) return;
    fmt::print(stderr,
               "warning: up to {} threads share {} usable core{} (affinity {}, quota {}); such runs say nothing about "
               "scaling, fewer --threads do\n",
               most, budget.usable, budget.usable == 1 ? "" : "s", budget.affinity,
               budget.quota == 0 ? "none" : std::to_string(budget.quota));
}

void Announce::start(std::size_t runs, bool in_order, bool warm_up, const std::filesystem::path& folder) const {
    lines({fmt::format("{} run{}, {}{}, into {}", runs, runs == 1 ? "" : "s",
                       in_order ? "in the order of the axes" : "in random order within each seed",
                       warm_up ? ", after a warm-up of one epoch that is dropped" : "", folder.string())});
}

void Announce::busy(double load, const CoreBudget& budget) const {
    if (load < 0.5 * budget.usable) return;
    lines({fmt::format(
        "note: the load of the last minute was {:.2g} on {} usable core{}; where that was not this program, "
        "timings are noisy",
        load, budget.usable, budget.usable == 1 ? "" : "s")});
}

void Announce::without_effect(const Axes& axes, const std::vector<Plan>& plans) const {
    const Axes unasked;
    const auto check = [&](const char* option, bool given, bool Applies::*axis) {
        const auto means_something = [&](const Plan& plan) { return applies(plan).*axis; };
        if (given && std::none_of(plans.begin(), plans.end(), means_something)) {
            lines({fmt::format("note: {} has no effect on any of these runs", option)});
        }
    };
    check("--update", axes.update != unasked.update, &Applies::update);
    check("--guard", axes.guard != unasked.guard, &Applies::guard);
    check("--batch", axes.batch != unasked.batch, &Applies::batch);
    check("--exchange", axes.exchange != unasked.exchange, &Applies::exchange);
    check("--telemetry", axes.telemetry != unasked.telemetry, &Applies::telemetry);
    check("--decay", axes.decay != unasked.decay, &Applies::decay);
}

} // namespace hogwild
