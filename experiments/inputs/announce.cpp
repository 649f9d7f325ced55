#include "experiments/inputs/announce.h"

#include "engine/data/images/images.h"
#include "experiments/inputs/missing_classes.h"
#include "experiments/inputs/one_label.h"
#include "experiments/inputs/questions.h"
#include "experiments/plans/applies.h"
#include "experiments/text/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>

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
    for (const std::string& line : lines) fmt::print(stderr, "{}\n", line);
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

void Announce::labels(const Dataset& data) const {
    for (const std::string& line : {one_label_line(data.view()), missing_classes_line(data.view())})
        if (!line.empty()) fmt::print(stderr, "{}\n", line);
}

std::vector<std::string> default_lines(const Axes& axes, const std::vector<Plan>& plans) {
    std::vector<std::string> lines;
    for (const Plan& plan : plans) {
        const Applies axis = applies(plan);
        std::vector<std::string> taken;
        const bool streams = axis.streams;
        if (streams && axis.threads && axes.threads.empty()) taken.push_back(fmt::format("--threads {}", plan.threads));
        if (streams && axis.update && axes.update.empty()) taken.push_back(fmt::format("--update {}", plan.update));
        if (streams && axis.memory && axes.memory.empty()) taken.push_back(fmt::format("--memory {}", plan.memory));
        if (streams && !axes.given.contains("--streams"))
            taken.push_back(fmt::format("--streams {}", plan.gpu.streams));
        if (axis.blocks && !axes.given.contains("--blocks"))
            taken.push_back(fmt::format("--blocks {}", plan.gpu.blocks));
        if (axis.products && axes.read.empty()) taken.push_back("--read " + plan.network.read);
        if (axis.hot && axes.hot.empty()) taken.push_back(fmt::format("--hot {}", plan.hot.count));
        if (axis.hot && axes.placement.empty()) taken.push_back(fmt::format("--placement {}", plan.placement));
        if (axes.step.empty()) taken.push_back(fmt::format("--step {}", plan.step.kind));
        if (axes.step_size.empty()) taken.push_back(fmt::format("--step-size {}", exact(plan.step.size)));
        if (axes.decay.empty() && axis.decay) taken.push_back(fmt::format("--decay {}", exact(plan.step.decay)));
        if (axes.warm_up.empty() && takes_network(plan.problem))
            taken.push_back(fmt::format("--warm-up {}", exact(plan.step.warm_up)));
        if (axes.batch.empty() && axis.batch) taken.push_back(fmt::format("--batch {}", plan.batch.size));
        if (axes.exchange.empty() && axis.exchange) taken.push_back(fmt::format("--exchange {}", plan.exchange.period));
        if (axis.coupling && !axes.given.contains("--coupling"))
            taken.push_back(fmt::format("--coupling {}", exact(plan.exchange.coupling)));
        if (axes.cluster.empty() && axis.cluster) taken.push_back(fmt::format("--cluster {}", plan.exchange.cluster));
        if (axes.l2.empty() && axis.l2)
            taken.push_back(shrinks_all(plan.problem) ? fmt::format("--l2 1/n (= {})", human(plan.l2))
                                                      : fmt::format("--l2 {}", human(plan.l2)));
        if (axis.state && !axes.given.contains("--state")) taken.push_back("--state " + plan.optimizer.state);
        if (axis.beta1 && !axes.given.contains("--beta1"))
            taken.push_back(fmt::format("--beta1 {}", exact(plan.optimizer.beta1)));
        if (axes.beta2.empty() && axis.beta2) taken.push_back(fmt::format("--beta2 {}", exact(plan.optimizer.beta2)));
        if (axes.epochs.empty()) taken.push_back(fmt::format("--epochs {}", plan.epochs));
        if (taken.empty()) continue;
        std::string where = plan.device == "cpu" ? "" : " on " + plan.device;
        if (plan.optimizer.name != "sgd") where += " with " + plan.optimizer.name;
        std::string line =
            fmt::format("defaults of {} {}{}: {}", plan.problem, plan.scheme, where, fmt::join(taken, " "));
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
    }
    return lines;
}

void Announce::defaults(const Axes& axes, const std::vector<Plan>& plans) const { lines(default_lines(axes, plans)); }

void Announce::capped(const std::vector<Plan>& plans, const CoreBudget& budget) const {
    if (std::none_of(plans.begin(), plans.end(), [](const Plan& plan) { return applies(plan).threads; })) return;
    fmt::print(stderr,
               "warning: --threads capped at {} usable core{} (affinity {}, quota {}); --oversubscribe runs as many as "
               "asked\n",
               budget.usable, budget.usable == 1 ? "" : "s", budget.affinity,
               budget.quota == 0 ? "none" : std::to_string(budget.quota));
}

void Announce::oversubscription(const std::vector<Plan>& plans, const CoreBudget& budget) const {
    unsigned most = 0;
    for (const Plan& plan : plans) {
        const bool both = plan.device == "both"; // who feeds a stream takes a core, and so does a bridge
        most = std::max(most, plan.threads + (both ? gpu_workers(plan) + bridges(plan) : 0));
    }
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
    lines({fmt::format("note: the load of the last minute was {} on {} usable core{}; where that was not this program, "
                       "timings are noisy",
                       human(load, 2), budget.usable, budget.usable == 1 ? "" : "s")});
}

std::vector<std::string> idle_lines(const Axes& axes, const std::vector<Plan>& plans) {
    struct Option {
        const char* name;
        bool Applies::*axis;
        const char* why;
    };
    static constexpr Option kOptions[] = {
        {"--threads", &Applies::threads, "serial has one thread, a GPU has streams"},
        {"--device", &Applies::device,
         "only hogwild and minibatch, and async-local-sgd of networks, have a form for a GPU"},
        {"--memory", &Applies::memory,
         "only hogwild, svrg, saga and columns have a choice of memory, serial of short numbers"},
        {"--streams", &Applies::streams, "only hogwild and async-local-sgd on a GPU have streams"},
        {"--blocks", &Applies::blocks,
         "only hogwild and async-local-sgd on a GPU have thread blocks, but not hogwild's graphs"},
        {"--gpu-steps", &Applies::gpu_steps, "only networks under hogwild on a GPU have a choice of them"},
        {"--products", &Applies::products, "only --gpu-steps graphs has a choice of them"},
        {"--hot", &Applies::hot,
         "only hogwild on a GPU, and on threads with --hot-updates or a placement of them, has hot coordinates"},
        {"--hot-updates", &Applies::hot_updates, "only hogwild has a choice of them"},
        {"--hot-rule", &Applies::hot_rule, "no run copies hot coordinates"},
        {"--int8-range", &Applies::int8_range, "only memories of int8 have a range"},
        {"--bridge-rule", &Applies::bridge, "only --memory replica has a bridge"},
        {"--bridge-pause", &Applies::bridge, "only --memory replica has a bridge"},
        {"--update", &Applies::update, "only hogwild without a guard, and columns, have a choice of updates"},
        {"--guard", &Applies::guard, "only hogwild takes one"},
        {"--batch", &Applies::batch, "only minibatch, backup-workers and cyclades have batches"},
        {"--gpu-batch", &Applies::batch_rule, "only networks under hogwild on both devices have two batches"},
        {"--batch-rule", &Applies::batch_rule, "only networks under hogwild on both devices have two batches"},
        {"--batch-most", &Applies::batch_most, "only --batch-rule adaptive and adaptive-linear have one"},
        {"--backup", &Applies::backup, "only backup-workers has some"},
        {"--exchange", &Applies::exchange,
         "only local-sgd, async-local-sgd, replicated and hogwild++ exchange, and hogwild with --hot-updates"},
        {"--cluster", &Applies::cluster, "only replicated and hogwild++ have some"},
        {"--exchange-doublings", &Applies::doublings,
         "only async-local-sgd has some, and --hot-updates replicated, but for networks"},
        {"--combine", &Applies::combine, "only async-local-sgd has a choice, and --hot-updates replicated"},
        {"--coupling", &Applies::coupling, "only --combine sequential has one"},
        {"--network", &Applies::network, "only --problem network trains one"},
        {"--read", &Applies::read, "only networks have a choice, minibatch and backup-workers have none"},
        {"--optimizer", &Applies::optimizer, "only networks have a choice of optimisers"},
        {"--state", &Applies::state, "only an optimiser's workers on one buffer have a choice of where its state is"},
        {"--beta1", &Applies::beta1, "only momentum, nesterov, delayed-nesterov and adam have one"},
        {"--beta2", &Applies::beta2, "only rmsprop and adam have one"},
        {"--l2", &Applies::l2, "their losses have no regulariser"},
        {"--telemetry", &Applies::telemetry,
         "conflict-free, cyclades, minibatch, backup-workers, local-sgd and async-local-sgd have no concurrent writers "
         "to watch, replicated and hogwild++ have several models, svrg, saga and columns no probes"},
        {"--decay", &Applies::decay, "only --step decay and --step backoff decay"},
        {"--half-life", &Applies::half_life, "only --step inverse-time has one"},
        {"--plateau", &Applies::plateau, "only --step backoff looks for one"},
        {"--cas-limit", &Applies::cas_limit,
         "only --update cas-bounded, without a guard, and --guard publish have one"},
        {"--layer-update", &Applies::layer_update, "only networks under hogwild without a guard have a choice of them"},
        {"--staleness-rule", &Applies::staleness_rule,
         "only hogwild has one, on networks and sparse rows, and no step is stale under --guard locked-read"},
        {"--staleness-limit", &Applies::staleness_limit, "only --staleness-rule delay-adaptive and drop have one"},
    };
    std::set<std::string, std::less<>> given = axes.given;
    if (std::ranges::all_of(axes.hot, [](std::uint32_t hot) { return hot == 0; }))
        given.erase("--hot"); // all have none
    std::vector<std::string> lines;
    for (const Option& option : kOptions) {
        const auto means_something = [&](const Plan& plan) { return applies(plan).*option.axis; };
        if (given.contains(option.name) && std::none_of(plans.begin(), plans.end(), means_something)) {
            lines.push_back(fmt::format("note: {} has no effect on any of these runs ({})", option.name, option.why));
        }
    }
    const auto has_state = [](const Plan& plan) { return applies(plan).state; };
    const bool asked = std::ranges::find(axes.state, "per-device") != axes.state.end();
    if (asked && std::ranges::any_of(plans, has_state) &&
        std::ranges::none_of(plans, [](const Plan& plan) { return plan.optimizer.state == "per-device"; }))
        lines.push_back("note: --state per-device is shared in all of these runs (they have one device)");
    std::map<std::string, std::vector<std::string_view>> parameters_of; // problems whose models have it
    for (const std::string_view problem : known_names("problem")) {
        for (const Parameter& each : parameters(problem)) parameters_of[option_of(each)].push_back(problem);
    }
    for (const auto& [option, problems] : parameters_of) {
        const auto has_it = [&with = problems](const Plan& plan) {
            return std::ranges::find(with, plan.problem) != with.end();
        };
        if (axes.given.contains(option) && std::ranges::none_of(plans, has_it)) {
            lines.push_back(fmt::format("note: {} has no effect on any of these runs (only models of {} have it)",
                                        option, fmt::join(problems, ", ")));
        }
    }
    return lines;
}

void Announce::without_effect(const Axes& axes, const std::vector<Plan>& plans) const {
    lines(idle_lines(axes, plans));
}

std::vector<std::string> whole_batch_lines(const std::vector<Plan>& plans, std::uint64_t rows) {
    std::set<std::uint32_t> batches;
    for (const Plan& plan : plans) {
        if (applies(plan).batch && plan.scheme != "cyclades" && plan.batch.size >= rows)
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
        fmt::print(stderr, "warning: {}\n", pairing.text);
    } else if (!pairing.text.empty()) {
        lines({"note: " + pairing.text});
    }
}

} // namespace hogwild
