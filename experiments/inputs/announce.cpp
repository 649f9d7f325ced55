#include "experiments/inputs/announce.h"

#include "engine/data/images/images.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/meaning.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "experiments/inputs/inputs.h"
#include "experiments/inputs/label_meaning.h"
#include "experiments/inputs/missing_classes.h"
#include "experiments/inputs/one_label.h"
#include "experiments/inputs/questions.h"
#include "experiments/text/tell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace hogwild {

namespace {

/// How many samples of which shape.
std::string shape_of(const SparseView& view) {
    return fmt::format("{} samples, {} columns, {} nonzeros", grouped(view.rows), grouped(view.columns),
                       grouped(view.nonzeros()));
}

std::string shape_of(const RatingsView& view) {
    return fmt::format("{} ratings, {} users, {} items", grouped(view.rows), grouped(view.users), grouped(view.items));
}

std::string shape_of(const EdgesView& view) {
    return fmt::format("{} edges, {} free nodes, {} classes", grouped(view.rows), grouped(view.free),
                       grouped(view.classes));
}

std::string shape_of(const TokensView& view) {
    return fmt::format("{} words of text, {} in the vocabulary", grouped(view.rows), grouped(view.words));
}

std::string shape_of(const ImagesView& view) {
    const std::string classes = has_one_label(view) ? "1 class" : fmt::format("{} classes", view.classes);
    return fmt::format("{} images of {}, {}", grouped(view.rows), size_text(view.shape), classes);
}

} // namespace

std::string shape_text(const AnyView& view) {
    return view.visit([](const auto& of) { return shape_of(of); });
}

void Announce::lines(const std::vector<std::string>& lines) const {
    if (!wanted_) return;
    for (const std::string& line : lines) tell("{}\n", line);
}

void Announce::train(const Inputs& inputs) const {
    data("data", inputs.train, inputs.train_report);
    if (const std::string columns = columns_line(inputs); !columns.empty()) lines({columns});
    became(inputs.train_report, inputs.test_report);
    labels(inputs.train);
}

void Announce::data(std::string_view role, const Dataset& data, const LoadReport& report) const {
    const AnyView& view = data.view();
    const char* how = report.from_cache ? "taken from the cache" : report.text_bytes > 0 ? "parsed" : "generated";
    const std::string line = fmt::format("{}: {}, {}", role, data.name(), shape_text(view));
    lines({report.of_others ? line + ", held out of the data"
                            : fmt::format("{}, {} in {}", line, how, human_seconds(report.parse_seconds))});
    for (const Questions& each : questions_of(view)) {
        lines({fmt::format("questions: {}, {} of {} {} are about words of the vocabulary", each.score,
                           grouped(each.covered), grouped(each.asked), each.kind)});
    }
    if (!report.note.empty()) lines({"note: " + report.note});
}

void Announce::became(const LoadReport& train, const LoadReport& test) const { lines(became_lines(train, test)); }

std::vector<std::string> became_lines(const LoadReport& train, const LoadReport& test) {
    std::vector<std::string> lines;
    for (std::string& line :
         std::array{label_meaning_line("labels", train),
                    test.classes == train.classes ? std::string() : label_meaning_line("labels of the test", test)})
        if (!line.empty()) lines.push_back(std::move(line));
    return lines;
}

void Announce::labels(const Dataset& data) const {
    for (const std::string& line : {one_label_line(data.view()), missing_classes_line(data.view())})
        if (!line.empty()) tell("{}\n", line);
}

namespace {

/// Whether nothing was said of it.
bool is_open(const Axes& axes, const Axis& axis) {
    return axis.depends ? axes.open(axis.name) : !axes.given.contains(option_of(axis));
}

std::string option_text(const Axis& axis, const Plan& plan) {
    const Value value = value_of(axis, plan);
    const auto* const real = std::get_if<Real>(&value);
    return fmt::format("{} {}", option_of(axis), real == nullptr ? written(value) : exact(real->value));
}

/// The defaults that a plan took, as options.
std::vector<std::string> defaults_of(const Axes& axes, const Plan& plan) {
    std::map<int, std::string> taken; // by their places
    for (const Axis* row : hogwild::axes()) {
        const auto& [place, among, text] = row->announced;
        if (place == 0 || !is_open(axes, *row)) continue;
        if (among != nullptr ? among(plan) : applies(*row, plan))
            taken[place] = text != nullptr ? text(plan) : option_text(*row, plan);
    }
    std::vector<std::string> texts;
    for (auto& [place, text] : taken) texts.push_back(std::move(text));
    return texts;
}

} // namespace

std::vector<std::string> default_lines(const Axes& axes, const std::vector<Plan>& plans) {
    std::vector<std::string> lines;
    for (const Plan& plan : plans) {
        const std::vector<std::string> taken = defaults_of(axes, plan);
        if (taken.empty()) continue;
        std::string where = device_traits(plan).gpu ? " on " + plan.device : "";
        if (!is_plain_sgd(plan)) where += " with " + plan.optimizer.name;
        std::string line =
            fmt::format("defaults of {} {}{}: {}", plan.problem, plan.scheme, where, fmt::join(taken, " "));
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
    }
    return lines;
}

void Announce::defaults(const Axes& axes, const std::vector<Plan>& plans) const { lines(default_lines(axes, plans)); }

void Announce::capped(const std::vector<Plan>& plans, const CoreBudget& budget) const {
    if (std::none_of(plans.begin(), plans.end(), [](const Plan& plan) { return means::threads(plan); })) return;
    tell("warning: --threads capped at {} usable core{} (affinity {}, quota {}); --oversubscribe runs as many as "
         "asked\n",
         budget.usable, budget.usable == 1 ? "" : "s", budget.affinity,
         budget.quota == 0 ? "none" : std::to_string(budget.quota));
}

void Announce::oversubscription(const std::vector<Plan>& plans, const CoreBudget& budget) const {
    unsigned most = 0;
    for (const Plan& plan : plans) {
        const bool both = on_both(plan); // who feeds a stream takes a core, and so does a bridge
        most = std::max(most, plan.threads + (both ? gpu_workers(plan) + bridges(plan) : 0));
    }
    if (most <= budget.usable) return;
    tell("warning: up to {} threads share {} usable core{} (affinity {}, quota {}); such runs say nothing about "
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
    lines({fmt::format("note: the load of the last minute was {} on {} usable core{}; where that was not this program, "
                       "timings are noisy",
                       human(load, 2), budget.usable, budget.usable == 1 ? "" : "s")});
}

namespace {

std::string no_effect(std::string_view option, std::string_view why) {
    return fmt::format("note: {} has no effect on any of these runs ({})", option, why);
}

/// Lines on options that set parameters of models.
void add_idle_parameters(std::vector<std::string>& lines, const Axes& axes, const std::vector<Plan>& plans) {
    std::map<std::string, std::vector<std::string_view>> parameters_of; // problems whose models have it
    for (const std::string_view problem : known_names("problem")) {
        for (const Parameter& each : problem_traits(problem).parameters)
            parameters_of[option_of(each)].push_back(problem);
    }
    for (const auto& [option, problems] : parameters_of) {
        const auto has_it = [&with = problems](const Plan& plan) {
            return std::ranges::find(with, plan.problem) != with.end();
        };
        if (axes.given.contains(option) && std::ranges::none_of(plans, has_it))
            lines.push_back(no_effect(option, fmt::format("only models of {} have it", fmt::join(problems, ", "))));
    }
}

/// A state per device is that of all workers where they have one device.
bool shares_asked_state(const Axes& axes, const std::vector<Plan>& plans) {
    const auto& states = axes.texts("state");
    return std::ranges::find(states, "per-device") != states.end() && std::ranges::any_of(plans, means::state) &&
           std::ranges::none_of(plans, [](const Plan& plan) { return state_traits(plan).per_device; });
}

} // namespace

std::vector<std::string> idle_lines(const Axes& axes, const std::vector<Plan>& plans) {
    std::set<std::string, std::less<>> given = axes.given;
    if (std::ranges::all_of(axes.counts("hot"), [](std::uint64_t hot) { return hot == 0; }))
        given.erase("--hot"); // all have none
    std::vector<std::string> lines;
    for (const Axis* row : hogwild::axes()) {
        const auto means_something = [&](const Plan& plan) { return applies(*row, plan); };
        if (given.contains(option_of(*row)) && !row->idle_note.empty() && std::ranges::none_of(plans, means_something))
            lines.push_back(no_effect(option_of(*row), idle_note_of(*row)));
    }
    if (shares_asked_state(axes, plans))
        lines.push_back("note: --state per-device is shared in all of these runs (they have one device)");
    add_idle_parameters(lines, axes, plans);
    return lines;
}

void Announce::without_effect(const Axes& axes, const std::vector<Plan>& plans) const {
    lines(idle_lines(axes, plans));
}

std::vector<std::string> whole_batch_lines(const std::vector<Plan>& plans, std::uint64_t rows) {
    std::set<std::uint32_t> batches;
    for (const Plan& plan : plans) {
        if (means::batch(plan) && !scheme_traits(plan).is_conflict_free() && plan.batch.size >= rows)
            batches.insert(plan.batch.size);
    }
    std::vector<std::string> lines;
    for (const std::uint32_t batch : batches) {
        lines.push_back(
            fmt::format("note: a batch of {} holds all {} samples (an epoch is one step); a smaller --batch "
                        "takes more steps",
                        grouped(batch), grouped(rows)));
    }
    return lines;
}

std::vector<std::string> long_warm_up_lines(const std::vector<Plan>& plans) {
    std::set<std::pair<double, std::uint32_t>> longer;
    for (const Plan& plan : plans) {
        if (plan.step.warm_up > plan.epochs) longer.emplace(plan.step.warm_up, plan.epochs);
    }
    std::vector<std::string> lines;
    for (const auto& [warm_up, epochs] : longer) {
        lines.push_back(
            fmt::format("note: a warm-up of {} epochs outlasts a run of {} (steps never reach their size); a "
                        "smaller --warm-up lets them",
                        human(warm_up), epochs));
    }
    return lines;
}

void Announce::long_warm_ups(const std::vector<Plan>& plans) const { lines(long_warm_up_lines(plans)); }

void Announce::whole_batches(const std::vector<Plan>& plans, std::uint64_t rows) const {
    lines(whole_batch_lines(plans, rows));
}

void Announce::pairing(const Pairing& pairing) const {
    if (pairing.grave) {
        tell("warning: {}\n", pairing.text);
    } else if (!pairing.text.empty()) {
        lines({"note: " + pairing.text});
    }
}

} // namespace hogwild
