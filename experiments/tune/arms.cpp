#include "experiments/tune/arms.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/meaning.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "engine/run.h"
#include "engine/workers/placement.h"
#include "experiments/plans/defaults.h"
#include "experiments/plans/hot_default.h"
#include "experiments/plans/product.h"
#include "experiments/sweep/spec/run_words.h"
#include "kernels/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace hogwild {
namespace {

std::uint64_t hash_without_seed(Plan plan) {
    plan.seed = 0;
    return hash(plan);
}

/// The option of a plan's field, without its dashes.
std::string option_of_field(std::string_view name) {
    const Axis* const row = find_axis(name);
    return (row != nullptr ? option_of(*row) : option_of(Parameter{name, 0, 0, 0, false, {}})).substr(2);
}

/// The option of a field; of an old spelling those that it is today.
void add_field(std::vector<Setting>& settings, const std::string& name, const std::string& value) {
    const Spelling today = respelled(name, value);
    if (today.empty()) settings.push_back({option_of_field(name), value});
    for (const auto& [axis, part] : today) settings.push_back({option_of_field(axis), part});
}

/// What the command that is being made says itself.
bool is_kept(const Setting& setting) {
    const bool of_save = setting.option == "grid"; // what --save writes
    return !is_plan_axis(setting.option) && !is_decided(setting.option) && !of_save;
}

/// Update policies that learn and leave no increment out.
std::vector<std::string> tried_updates() {
    std::vector<std::string> tried;
    for (const std::string_view name : catalog::names<Updates>) {
        const UpdateTraits& update = update_traits(name);
        if (update.writes && !update.drops) tried.emplace_back(name);
    }
    return tried;
}

/// In place of a default schedule that knows a run's end.
void forget_end(Axes& axes) {
    if (!axes.texts("step").empty()) return;
    Plan plan;
    plan.problem = axes.texts("problem").front();
    plan.scheme = "serial";
    set_defaults(plan, {});
    if (!knows_its_end(plan)) return;
    axes.texts("step") = {"decay"};
    if (axes.reals("warm_up").empty()) axes.reals("warm_up") = {plan.step.warm_up};
}

/// Where a model has fewer coordinates than are tried as hot ones, all of them are tried, once.
void limit_hot(std::vector<Plan>& plans, const AnyView& samples) {
    std::set<std::uint64_t> seen;
    for (Plan& plan : plans) {
        if (plan.hot.count > 0) plan.hot.count = std::min(plan.hot.count, coordinates(samples, plan));
    }
    std::erase_if(plans, [&](const Plan& plan) { return !seen.insert(hash(plan)).second; });
}

/// A scheme's product has every value of every axis before those without a meaning for it collapse. So each is made by itself: many
/// cores' candidates are few beside what all schemes together would begin with.
Product product_by_scheme(Axes axes, const AnyView& samples) {
    Product all;
    const SampleScale scale = sample_scale(samples);
    for (const std::string& scheme : std::vector<std::string>(axes.texts("scheme"))) {
        axes.texts("scheme") = {scheme};
        Product one = product(axes, samples.rows(), scale);
        std::ranges::move(one.plans, std::back_inserter(all.plans));
        std::ranges::move(one.left_out, std::back_inserter(all.left_out));
    }
    return all;
}

/// What of a product can run on these samples, and is no double of its serial code.
Product runnable(const Axes& axes, const Dataset& train) {
    Product all = product_by_scheme(axes, train.view());
    leave_out(all, [&](const Plan& plan) { return why_not(plan, train); });
    if (!axes.given.contains("--hot")) limit_hot(all.plans, train.view());
    if (std::ranges::any_of(all.plans, is_serial)) std::erase_if(all.plans, doubles_serial);
    return all;
}

/// What each scheme does by default, with every step that is searched.
Axes with_other_steps(Axes axes) {
    axes = usual(std::move(axes));
    if (const Axes all = searched(axes); !all.open("step_scale")) axes.reals("step_scale") = all.reals("step_scale");
    return axes;
}

} // namespace

Axes usual(Axes axes) {
    const auto open = [&](const char* option) { return !axes.given.contains(option); };
    if (axes.texts("problem").size() > 1) {
        throw Error(Failure::kUsage, fmt::format("--problem cannot be {} problems", axes.texts("problem").size()),
                    "what is best for one need not be for another", "tune each by itself");
    }
    check_name("problem", axes.texts("problem").front());
    const auto schemes = known_names("scheme");
    if (open("--scheme")) axes.texts("scheme").assign(schemes.begin(), schemes.end());
    if (open("--hot-updates")) axes.texts("hot_updates") = {"direct", "replicated"};
    forget_end(axes);
    const auto knows_end = [](const std::string& step) { return choice_named(kStepTraits, step).knows_end; };
    if (axes.counts("epochs").empty() && std::ranges::none_of(axes.texts("step"), knows_end))
        axes.counts("epochs") = {kMostEpochs};
    axes.counts("seed") = {0};
    return axes;
}

Axes searched(Axes axes) {
    axes = usual(std::move(axes));
    const auto open = [&](const char* option) { return !axes.given.contains(option); };
    if (open("--threads")) axes.counts("threads") = thread_list("--threads", "all", axes.cores);
    if (open("--update")) axes.texts("update") = tried_updates();
    if (open("--hot")) { // lines, else pages
        axes.counts("hot") = is_linear(axes.texts("problem").front()) ? std::vector<std::uint64_t>{256, 2048}
                                                                      : std::vector<std::uint64_t>{8192, 65536};
    }
    if (open("--cluster")) {
        const unsigned node = axes.node_cores > 0 ? axes.node_cores : cores_of_node();
        axes.counts("cluster") = cluster_list("--cluster", "core,node,machine", node);
    }
    if (open("--step-size") && open("--step-scale"))
        axes.reals("step_scale") = {1.0 / 27, 1.0 / 9, 1.0 / 3, 1, 3, 9, 27, 81};
    if (open("--exchange")) axes.counts("exchange") = {16, 64, 256, 1024, 4096, 16384};
    if (open("--coupling")) axes.reals("coupling") = {0.5, 2, 8};
    if (open("--batch")) {
        axes.counts("batch") = problem_traits(axes.texts("problem").front()).takes_batches
                                   ? std::vector<std::uint64_t>{16, 64, 256}
                                   : std::vector<std::uint64_t>{64, 256, 1024};
    }
    return axes;
}

bool knows_its_end(const Plan& plan) { return step_traits(plan).knows_end; }

std::uint32_t epochs_of(const Plan& plan, unsigned doublings) {
    return doublings < 31 && !knows_its_end(plan) ? std::min(plan.epochs, std::uint32_t{1} << doublings) : plan.epochs;
}

unsigned most_doublings(const Plan& plan) {
    unsigned doublings = 0;
    while (epochs_of(plan, doublings) < plan.epochs) ++doublings;
    return doublings;
}

const Plan& longest_of(const std::vector<Plan>& plans) { return *std::ranges::max_element(plans, {}, most_doublings); }

bool doubles_serial(const Plan& plan) {
    if (is_serial(plan) || plan.threads != 1 || wants_gpu(plan)) return false;
    if (scheme_traits(plan).is_minibatch())
        return problem_traits(plan).takes_batches;                // else only serial goes sample by sample
    if (scheme_traits(plan).steps_on_doubles()) return false;     // other recursions: svrg, saga, columns
    return update_traits(plan).writes && !hot_traits(plan).thins; // which leave increments out
}

std::vector<std::size_t> yardsticks(const std::vector<Plan>& plans) {
    std::vector<std::size_t> own(plans.size(), kNoYardstick);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto distance = [&](std::size_t serial) {
            const Plan &a = plans[i], &b = plans[serial];
            return std::tuple(serial != i, a.step.kind != b.step.kind, a.batch.size != b.batch.size,
                              std::abs(std::log(a.step.size / b.step.size)));
        };
        for (std::size_t serial = 0; serial < plans.size(); ++serial) {
            if (!is_serial(plans[serial])) continue;
            if (own[i] == kNoYardstick || distance(serial) < distance(own[i])) own[i] = serial;
        }
    }
    return own;
}

std::vector<std::size_t> neighbours(const std::vector<Plan>& plans, std::size_t arm) {
    using Sides = std::array<std::optional<std::pair<double, std::size_t>>, 2>; // the next value below and above
    const auto own = fields(plans[arm]);
    std::map<std::size_t, Sides> numbers; // by place of the field
    std::vector<std::size_t> found, others;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (i == arm || plans[i].scheme != plans[arm].scheme) continue;
        const auto its = fields(plans[i]);
        if (its.size() != own.size()) continue;
        const auto [mine, theirs] = std::ranges::mismatch(own, its);
        if (mine == own.end() || !std::equal(mine + 1, own.end(), theirs + 1) || mine->first != theirs->first) continue;
        const auto is = parse_real(mine->second), other = parse_real(theirs->second);
        if (!is || !other) {
            others.push_back(i);
            continue;
        }
        auto& side = numbers[static_cast<std::size_t>(mine - own.begin())][*other > *is ? 1 : 0];
        if (!side || std::abs(*other - *is) < std::abs(side->first - *is)) side = {*other, i};
    }
    const auto add = [&](bool steps) {
        for (const auto& [place, sides] : numbers)
            for (const auto& side : sides)
                if (side && (own[place].first == "step_size") == steps) found.push_back(side->second);
    };
    add(true);
    add(false);
    found.insert(found.end(), others.begin(), others.end());
    return found;
}

Arms arms(const Axes& axes, const Dataset& train) {
    const Product all = runnable(searched(axes), train);
    std::vector<Plan> plans = runnable(usual(axes), train).plans;
    const std::size_t usual_ones = plans.size();
    std::set<std::uint64_t> known;
    for (const Plan& plan : plans) known.insert(hash(plan));
    for (const std::vector<Plan>& more : {runnable(with_other_steps(axes), train).plans, all.plans})
        std::ranges::copy_if(more, std::back_inserter(plans),
                             [&](const Plan& plan) { return known.insert(hash(plan)).second; });
    if (plans.empty()) {
        throw Error(Failure::kUsage, "nothing is left to try",
                    all.left_out.empty() ? "every axis is empty" : all.left_out[0].why, "give the axes other values");
    }
    using Kind = std::tuple<bool, std::string, std::string>;   // serial first
    using Turn = std::tuple<bool, std::uint64_t, std::size_t>; // usual ones first
    std::map<Kind, std::vector<Turn>> schemes;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Plan& plan = plans[i];
        schemes[{!is_serial(plan), plan.scheme, plan.hot.updates}].emplace_back(i >= usual_ones, hash(plan), i);
    }
    for (auto& [scheme, turns] : schemes) std::ranges::sort(turns);
    const std::vector<std::size_t> own = yardsticks(plans);
    std::set<std::size_t> begun;
    Arms order;
    for (std::size_t turn = 0; order.plans.size() < plans.size(); ++turn) {
        for (const auto& [scheme, turns] : schemes) {
            if (turn >= turns.size()) continue;
            const std::size_t arm = std::get<2>(turns[turn]);
            for (const std::size_t next : {own[arm], arm}) {
                if (next == kNoYardstick || !begun.insert(next).second) continue;
                order.plans.push_back(plans[next]);
                order.usual.push_back(next < usual_ones);
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
    if (!is_serial(plan)) settings.push_back({"threads", std::to_string(plan.threads)});
    if (has_hot_choice(plan)) settings.push_back({"hot-updates", plan.hot.updates});
    const auto wanted = fields(plan);
    for (const auto& [name, value] : wanted) {
        if (name == "step" || name == "step_size" || name == "epochs")
            settings.push_back({option_of_field(name), value});
    }
    for (int pass = 0; pass < 3; ++pass) {
        const Product made = product(options_of(settings).axes, train.view().rows(), sample_scale(train.view()));
        const Plan& is = made.plans.at(0);
        if (hash_without_seed(is) == hash_without_seed(plan)) break;
        std::map<std::string, std::string> now;
        for (const auto& [name, value] : fields(is)) now[name] = value;
        for (const auto& [name, value] : wanted) {
            if (name != "seed" && now[name] != value) add_field(settings, name, value);
        }
    }
    return settings;
}

} // namespace hogwild
