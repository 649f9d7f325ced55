#include "experiments/tune/arms.h"

#include "engine/error.h"
#include "engine/run.h"
#include "engine/workers/placement.h"
#include "experiments/applies.h"
#include "experiments/hot_default.h"
#include "experiments/product.h"
#include "experiments/sweep/run_words.h"
#include "kernels/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace hogwild {
namespace {

std::uint64_t hash_without_seed(Plan plan) {
    plan.seed = 0;
    return hash(plan);
}

/// "exchange-doublings" of exchange_doublings.
std::string option_of_field(std::string name) {
    if (name == "observations_per_epoch") return "observe";
    std::ranges::replace(name, '_', '-');
    return name;
}

/// What the command that is being made says itself.
bool is_kept(const Setting& setting) {
    static const std::set<std::string, std::less<>> own{"output",      "json",     "quiet",      "budget",
                                                        "plot",        "no-plot",  "seed",       "save",
                                                        "tensorboard", "in-order", "no-warm-up", "grid"};
    const auto& axes = run_axes();
    const bool axis = setting.option != "data" && std::ranges::find(axes, setting.option) != axes.end();
    return !axis && !own.contains(setting.option);
}

/// Of a model with fewer coordinates than are tried as hot ones all of them are, once.
void limit_hot(std::vector<Plan>& plans, const AnyView& samples) {
    std::set<std::uint64_t> seen;
    for (Plan& plan : plans) {
        if (plan.hot > 0) plan.hot = std::min(plan.hot, coordinates(samples, plan));
    }
    std::erase_if(plans, [&](const Plan& plan) { return !seen.insert(hash(plan)).second; });
}

} // namespace

Axes searched(Axes axes) {
    const auto open = [&](const char* option) { return !axes.given.contains(option); };
    if (axes.problem.size() > 1) {
        throw Error(Failure::kUsage, fmt::format("--problem cannot be {} problems", axes.problem.size()),
                    "what is best for one need not be for another", "tune each by itself");
    }
    const auto schemes = known_names("scheme");
    if (open("--scheme")) axes.scheme.assign(schemes.begin(), schemes.end());
    if (open("--threads")) axes.threads = thread_list("--threads", "all", axes.cores);
    if (open("--update")) axes.update = {"racy", "atomic"};
    if (open("--hot-updates")) axes.hot_updates = {"direct", "replicated"};
    if (open("--hot")) {
        const bool lines = axes.problem.empty() || is_linear(axes.problem.front()); // else pages
        axes.hot = lines ? std::vector<std::uint32_t>{256, 2048} : std::vector<std::uint32_t>{8192, 65536};
    }
    if (open("--cluster")) {
        const unsigned node = axes.node_cores > 0 ? axes.node_cores : cores_of_node();
        axes.cluster = cluster_list("--cluster", "core,node,machine", node);
    }
    if (open("--step-size") && open("--step-scale")) axes.step_scale = scale_list("--step-scale", "[log 0.0123..9 x7]");
    if (open("--exchange")) axes.exchange = {16, 64, 256, 1024, 4096, 16384};
    if (open("--coupling")) axes.coupling = {0.5, 2, 8};
    if (open("--batch")) axes.batch = {64, 256, 1024};
    axes.seed = {0};
    return axes;
}

bool doubles_serial(const Plan& plan) {
    if (plan.scheme == "serial" || plan.threads != 1 || wants_gpu(plan)) return false;
    if (is_minibatch(plan.scheme)) return takes_batches(plan.problem); // else only serial goes sample by sample
    if (steps_on_doubles(plan.scheme)) return false;                   // other recursions: svrg, saga, columns
    return plan.update != "noop" && plan.hot_updates != "thinned";     // which leave increments out
}

std::vector<std::size_t> yardsticks(const std::vector<Plan>& plans) {
    std::vector<std::size_t> own(plans.size(), kNoYardstick);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto distance = [&](std::size_t serial) {
            const Plan &a = plans[i], &b = plans[serial];
            return std::tuple(serial != i, a.step.kind != b.step.kind, a.batch != b.batch,
                              std::abs(std::log(a.step.size / b.step.size)));
        };
        for (std::size_t serial = 0; serial < plans.size(); ++serial) {
            if (plans[serial].scheme != "serial") continue;
            if (own[i] == kNoYardstick || distance(serial) < distance(own[i])) own[i] = serial;
        }
    }
    return own;
}

std::vector<Plan> arms(const Axes& axes, const Dataset& train) {
    Product all = product(axes, train.view().rows(), sample_scale(train.view()));
    leave_out(all, [&](const Plan& plan) { return why_not(plan, train); });
    if (!axes.given.contains("--hot")) limit_hot(all.plans, train.view());
    if (std::ranges::find(all.plans, "serial", &Plan::scheme) != all.plans.end())
        std::erase_if(all.plans, doubles_serial);
    if (all.plans.empty()) {
        throw Error(Failure::kUsage, "nothing is left to try",
                    all.left_out.empty() ? "every axis is empty" : all.left_out[0].why, "give the axes other values");
    }
    using Kind = std::tuple<bool, std::string, std::string>; // serial first
    std::map<Kind, std::vector<std::pair<std::uint64_t, std::size_t>>> schemes;
    for (std::size_t i = 0; i < all.plans.size(); ++i) {
        const Plan& plan = all.plans[i];
        schemes[{plan.scheme != "serial", plan.scheme, plan.hot_updates}].emplace_back(hash_without_seed(plan), i);
    }
    for (auto& [scheme, plans] : schemes) std::ranges::sort(plans);
    const std::vector<std::size_t> own = yardsticks(all.plans);
    std::set<std::size_t> begun;
    std::vector<Plan> order;
    for (std::size_t turn = 0; order.size() < all.plans.size(); ++turn) {
        for (const auto& [scheme, plans] : schemes) {
            if (turn >= plans.size()) continue;
            const std::size_t arm = plans[turn].second;
            for (const std::size_t next : {own[arm], arm}) {
                if (next != kNoYardstick && begun.insert(next).second) order.push_back(all.plans[next]);
            }
        }
    }
    return order;
}

std::vector<Setting> settings_of(const Plan& plan, const std::vector<Setting>& typed, const Dataset& train) {
    std::vector<Setting> settings;
    std::ranges::copy_if(typed, std::back_inserter(settings), is_kept);
    settings.push_back({"problem", plan.problem});
    settings.push_back({"scheme", plan.scheme});
    if (plan.scheme != "serial") settings.push_back({"threads", std::to_string(plan.threads)});
    if (has_hot_choice(plan)) settings.push_back({"hot-updates", plan.hot_updates});
    const auto wanted = fields(plan);
    for (int pass = 0; pass < 3; ++pass) {
        const Product made = product(options_of(settings).axes, train.view().rows(), sample_scale(train.view()));
        const Plan& is = made.plans.at(0);
        if (hash_without_seed(is) == hash_without_seed(plan)) break;
        std::map<std::string, std::string> now;
        for (const auto& [name, value] : fields(is)) now[name] = value;
        for (const auto& [name, value] : wanted) {
            if (name != "seed" && now[name] != value) settings.push_back({option_of_field(name), value});
        }
    }
    return settings;
}

} // namespace hogwild
