#include "experiments/plans/product.h"

#include "engine/error.h"
#include "engine/numbers.h"
#include "engine/plan/axes.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/usual.h"
#include "engine/plan/meaning.h"
#include "engine/plan/names.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "engine/workers/placement.h"
#include "experiments/options/old_spellings.h"
#include "experiments/plans/defaults.h"
#include "experiments/plans/product_size.h"
#include "experiments/plans/random_order.h"
#include "kernels/updates/atomic_add.h"
#include "kernels/updates/racy.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <unordered_set>
#include <utility>

namespace hogwild {
namespace {

/// Every plan, once with each value that the axis was given; none keeps the plans as they are.
void expand(std::vector<Plan>& plans, const Axes& axes, const Axis& axis, double one_over_rows) {
    std::visit(
        [&](const auto& list) {
            if (list.empty()) return;
            check_product_size(axes, plans.size(), list.size(), option_of(axis));
            if (list.size() == 1) {
                for (Plan& plan : plans) put(axis, plan, list.front(), one_over_rows);
                return;
            }
            std::vector<Plan> expanded;
            expanded.reserve(plans.size() * list.size());
            for (const Plan& plan : plans) {
                for (const auto& value : list) put(axis, expanded.emplace_back(plan), value, one_over_rows);
            }
            plans = std::move(expanded);
        },
        axes.values(axis.name));
}

/// The plans whose model has the parameter, once with each value; the others as they are.
void expand_parameter(std::vector<Plan>& plans, const Axes& axes, std::string_view name,
                      const std::vector<double>& values) {
    check_product_size(axes, plans.size(), std::max<std::size_t>(values.size(), 1),
                       option_of(Parameter{name, 0, 0, 0, false, {}}));
    std::vector<Plan> expanded;
    for (const Plan& plan : plans) {
        const std::span<const Parameter> known = problem_traits(plan).parameters;
        const auto at = std::ranges::find(known, name, &Parameter::name);
        if (at == known.end() || values.empty()) {
            expanded.push_back(plan);
            continue;
        }
        for (const double value : values) {
            Plan& other = expanded.emplace_back(plan);
            other.parameters = parameters(plan);
            other.parameters[static_cast<std::size_t>(at - known.begin())] = value;
        }
    }
    plans = std::move(expanded);
}

/// A model for each of several nodes; on one node for each worker.
void set_clusters(std::vector<Plan>& plans, const Axes& axes) {
    const auto wants = [](const Plan& plan) { return scheme_traits(plan).has_clusters(); };
    if (std::ranges::none_of(plans, wants)) return;
    const unsigned node = axes.node_cores > 0 ? axes.node_cores : cores_of_node();
    for (Plan& plan : plans) plan.exchange.cluster = node < axes.cores ? node : 1;
}

/// Errors: usage where nothing is there to choose by.
void set_hot(Plan& plan, const Axes& axes, const HotChooser* hot) {
    if (hot == nullptr) {
        throw Error(Failure::kUsage, "--hot-updates cannot be auto here",
                    "it depends on a time that is measured anew, and these plans must be the same when they are made "
                    "again",
                    "name what `hogwild run --hot-updates auto` says that it chose");
    }
    const HotChoice choice = choose_hot(plan, axes, *hot);
    plan.hot.updates = choice.updates;
    if (choice.hot > 0) plan.hot.count = choice.hot;
}

/// Drops what the axes' collapse made equal; the first of equals stays.
void collapse(std::vector<Plan>& plans) {
    std::unordered_set<std::uint64_t> seen;
    std::vector<Plan> kept;
    for (Plan& plan : plans) {
        validate(plan);
        Plan neutral = collapsed(std::move(plan));
        if (seen.insert(hash(neutral)).second) kept.push_back(std::move(neutral));
    }
    plans = std::move(kept);
}

/// What the values of a stage are set on: defaults that depend on all that was decided before it.
class Defaults {
public:
    Defaults(const Axes& axes, std::uint64_t rows, const SampleScale& scale, const HotChooser* hot)
        : axes_(axes), rows_(rows), scale_(scale), hot_(hot) {}

    void before(Axis::Stage stage, std::vector<Plan>& plans) const {
        switch (stage) {
        case Axis::Stage::kOptimizer: return each(plans, [&](Plan& plan) { set_defaults(plan, scale_); });
        case Axis::Stage::kBeta2: return each(plans, suit_known_optimizer);
        case Axis::Stage::kMemory: return each(plans, suit_device);
        case Axis::Stage::kThreads: return each(plans, [&](Plan& plan) { suit_threads(plan); });
        case Axis::Stage::kHotUpdates: return each(plans, [&](Plan& plan) { suit_gpu(plan); });
        case Axis::Stage::kHot: return each(plans, [&](Plan& plan) { suit_hot(plan); });
        case Axis::Stage::kPlacement: return each(plans, [&](Plan& plan) { place(plan); });
        case Axis::Stage::kOrder: return order(plans);
        case Axis::Stage::kCluster: return set_clusters(plans, axes_);
        case Axis::Stage::kL2: return each(plans, [&](Plan& plan) { suit_l2(plan); });
        case Axis::Stage::kScale: return limit(plans);
        case Axis::Stage::kEpochs: return set_parameters(plans);
        default: return;
        }
    }

private:
    static void each(std::vector<Plan>& plans, const auto& set) {
        for (Plan& plan : plans) set(plan);
    }

    static void suit_known_optimizer(Plan& plan) {
        check_name("optimizer", plan.optimizer.name);
        suit_optimizer(plan);
    }

    static void suit_device(Plan& plan) {
        plan.memory = home_of(plan.device);
        plan.update = device_traits(plan).gpu ? AtomicAdd::name : Racy::name;
    }

    void suit_gpu(Plan& plan) const {
        set_gpu_defaults(plan, {axes_.given.contains("--streams"), axes_.given.contains("--blocks")});
    }

    /// Threads leave streams a core each.
    void suit_threads(Plan& plan) const {
        suit_gpu(plan);
        plan.threads = usual_threads(plan, axes_.cores);
    }

    void suit_hot(Plan& plan) const {
        plan.hot.count = usual_hot(plan, scale_.dense_columns);
        if (is_auto(plan.hot.updates)) set_hot(plan, axes_, hot_);
        suit_exchange(plan);
    }

    void place(Plan& plan) const { plan.placement = usual_placement(plan, scale_.dense_columns); }

    /// Early, so that the product does not grow with combinations that are one run.
    void order(std::vector<Plan>& plans) const {
        if (axes_.open("hot")) each(plans, suit_placement);
        collapse(plans);
    }

    void suit_l2(Plan& plan) const { plan.l2 = problem_traits(plan).usual_l2(rows_, scale_.squared_norm); }

    void limit(std::vector<Plan>& plans) const {
        if (axes_.open("step_size")) each(plans, limit_step);
    }

    void set_parameters(std::vector<Plan>& plans) const {
        for (const auto& [name, values] : axes_.parameters) expand_parameter(plans, axes_, name, values);
    }

    const Axes& axes_;
    std::uint64_t rows_;
    const SampleScale& scale_;
    const HotChooser* hot_;
};

/// Every combination once, stage by stage.
std::vector<Plan> combinations(const Axes& axes, std::uint64_t rows, const Defaults& defaults) {
    const double one_over_rows = 1.0 / static_cast<double>(std::max<std::uint64_t>(rows, 1));
    std::vector<Plan> plans{Plan{}};
    for (int stage = 0; stage <= static_cast<int>(Axis::Stage::kEpochs); ++stage) {
        defaults.before(static_cast<Axis::Stage>(stage), plans);
        for (const Axis* row : hogwild::axes()) {
            if (static_cast<int>(row->stage) == stage) expand(plans, axes, *row, one_over_rows);
        }
    }
    collapse(plans);
    return plans;
}

} // namespace

Product product(const Axes& axes, std::uint64_t rows, const SampleScale& scale, const HotChooser* hot) {
    check_spellings(axes);
    Product result{combinations(axes, rows, Defaults(axes, rows, scale, hot)), {}, {}};
    leave_out(result, [](const Plan& plan) { return why_not(plan); });
    if (has_auto(axes.texts("hot_updates"))) {
        Axes alone = axes;
        alone.texts("hot_updates") = {std::string(kAuto)};
        const auto made = axes.texts("hot_updates").size() > 1 ? product(alone, rows, scale, hot).plans : result.plans;
        for (const Plan& plan : made) {
            if (means::hot_updates(plan)) result.hot_reasons[hash(plan)] = why_hot(plan, axes, *hot);
        }
    }
    return result;
}

void leave_out(Product& product, const std::function<std::string(const Plan&)>& why_not) {
    std::set<std::string> said;
    std::vector<Plan> kept;
    for (const Plan& plan : product.plans) {
        const std::string why = why_not(plan);
        if (why.empty()) {
            kept.push_back(plan);
        } else if (said.insert(describe(plan) + why).second) {
            product.left_out.push_back({plan, why});
        }
    }
    product.plans = std::move(kept);
}

std::vector<std::size_t> interleaved(const std::vector<Plan>& plans) {
    std::map<std::uint64_t, std::vector<std::size_t>> by_seed;
    for (std::size_t i = 0; i < plans.size(); ++i) by_seed[plans[i].seed].push_back(i);
    std::vector<std::size_t> order;
    order.reserve(plans.size());
    for (auto& [seed, block] : by_seed) {
        std::mt19937_64 random(seed);
        put_in_random_order(block, random);
        order.insert(order.end(), block.begin(), block.end());
    }
    return order;
}

std::string network_of_all(const std::vector<Plan>& plans) {
    const auto has_it = [&](const Plan& plan) {
        return problem_traits(plan).takes_network && plan.network.layers == plans[0].network.layers;
    };
    return !plans.empty() && std::ranges::all_of(plans, has_it) ? plans[0].network.layers : "";
}

} // namespace hogwild
