#include "experiments/plans/product.h"

#include "engine/error.h"
#include "engine/network/network.h"
#include "engine/workers/placement.h"
#include "experiments/plans/applies.h"
#include "experiments/plans/defaults.h"
#include "experiments/plans/random_order.h"
#include "experiments/text/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace hogwild {
namespace {

/// Every plan, once with each value; no values keep the plans as they are.
template <class T, class Set>
void expand(std::vector<Plan>& plans, const std::vector<T>& values, const Set& set) {
    if (values.empty()) return;
    std::vector<Plan> expanded;
    expanded.reserve(plans.size() * values.size());
    for (const Plan& plan : plans) {
        for (const T& value : values) set(expanded.emplace_back(plan), value);
    }
    plans = std::move(expanded);
}

/// The plans whose model has the parameter, once with each value; the others as they are.
void expand_parameter(std::vector<Plan>& plans, std::string_view name, const std::vector<double>& values) {
    std::vector<Plan> expanded;
    for (const Plan& plan : plans) {
        const std::span<const Parameter> known = parameters(plan.problem);
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
    const auto wants = [](const Plan& plan) { return has_clusters(plan.scheme); };
    if (!axes.cluster.empty() || std::ranges::none_of(plans, wants)) return;
    const unsigned node = axes.node_cores > 0 ? axes.node_cores : cores_of_node();
    for (Plan& plan : plans) plan.exchange.cluster = node < axes.cores ? node : 1;
}

bool asks_auto(const Axes& axes) { return std::ranges::find(axes.hot_updates, "auto") != axes.hot_updates.end(); }

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
    std::set<std::vector<std::pair<std::string, std::string>>> seen;
    std::vector<Plan> kept;
    for (const Plan& plan : plans) {
        validate(plan);
        Plan neutral = collapsed(plan);
        if (seen.insert(fields(neutral)).second) kept.push_back(std::move(neutral));
    }
    plans = std::move(kept);
}

} // namespace

Product product(const Axes& axes, std::uint64_t rows, const SampleScale& scale, const HotChooser* hot) {
    const double one_over_rows = 1.0 / static_cast<double>(std::max<std::uint64_t>(rows, 1));
    Plan first;
    first.cas_limit = axes.cas_limit;
    first.l1 = axes.l1;
    first.int8_range = axes.int8_range;
    first.observations_per_epoch = axes.observations_per_epoch;

    std::vector<Plan> plans{first};
    expand(plans, axes.problem, [](Plan& plan, const std::string& value) { plan.problem = value; });
    expand(plans, axes.scheme, [](Plan& plan, const std::string& value) { plan.scheme = value; });
    for (Plan& plan : plans) set_defaults(plan, scale);
    expand(plans, axes.optimizer, [](Plan& plan, const std::string& value) { plan.optimizer.name = value; });
    for (Plan& plan : plans) check_name("optimizer", plan.optimizer.name);
    expand(plans, axes.state, [](Plan& plan, const std::string& value) { plan.optimizer.state = value; });
    expand(plans, axes.beta1, [](Plan& plan, double value) { plan.optimizer.beta1 = value; });
    for (Plan& plan : plans) suit_optimizer(plan);
    expand(plans, axes.beta2, [](Plan& plan, double value) { plan.optimizer.beta2 = value; });
    expand(plans, axes.device, [](Plan& plan, const std::string& value) { plan.device = value; });
    for (Plan& plan : plans) {
        plan.memory = home_of(plan.device);
        plan.update = plan.device == "cpu" ? "racy" : "atomic";
    }
    expand(plans, axes.memory, [](Plan& plan, const std::string& value) { plan.memory = value; });
    expand(plans, axes.update, [](Plan& plan, const std::string& value) { plan.update = value; });
    expand(plans, axes.guard, [](Plan& plan, const std::string& value) { plan.guard = value; });
    expand(plans, axes.gpu_steps, [](Plan& plan, const std::string& value) { plan.gpu.steps = value; });
    expand(plans, axes.products, [](Plan& plan, const std::string& value) { plan.gpu.products = value; });
    expand(plans, axes.streams, [](Plan& plan, unsigned value) { plan.gpu.streams = value; });
    const auto suit_gpu = [&] {
        for (Plan& plan : plans)
            set_gpu_defaults(plan, {axes.given.contains("--streams"), axes.given.contains("--blocks")});
    };
    suit_gpu(); // threads leave its streams a core each
    for (Plan& plan : plans) plan.threads = usual_threads(plan, axes.cores);
    expand(plans, axes.threads, [](Plan& plan, unsigned value) { plan.threads = value; });
    expand(plans, axes.blocks, [](Plan& plan, std::uint32_t value) { plan.gpu.blocks = value; });
    suit_gpu();
    expand(plans, axes.telemetry, [](Plan& plan, const std::string& value) { plan.telemetry = value; });
    expand(plans, axes.hot_updates, [](Plan& plan, const std::string& value) { plan.hot.updates = value; });
    for (Plan& plan : plans) {
        plan.hot.count = usual_hot(plan, scale.dense_columns);
        if (plan.hot.updates == "auto") set_hot(plan, axes, hot);
        suit_exchange(plan);
    }
    expand(plans, axes.hot, [](Plan& plan, std::uint32_t value) { plan.hot.count = value; });
    expand(plans, axes.hot_rule, [](Plan& plan, double value) { plan.hot.rule = value; });
    expand(plans, axes.bridge_rule, [](Plan& plan, double value) { plan.bridge.rule = value; });
    expand(plans, axes.bridge_pause, [](Plan& plan, double value) { plan.bridge.pause = value; });
    expand(plans, axes.delay, [](Plan& plan, double value) { plan.delay = value; });
    for (Plan& plan : plans) plan.placement = usual_placement(plan, scale.dense_columns);
    expand(plans, axes.placement, [](Plan& plan, const std::string& value) { plan.placement = value; });
    if (axes.hot.empty()) {
        for (Plan& plan : plans) suit_placement(plan);
    }
    collapse(plans); // early, so that the product below does not grow with combinations that are one run
    expand(plans, axes.order, [](Plan& plan, const std::string& value) { plan.order = value; });
    expand(plans, axes.pin, [](Plan& plan, const std::string& value) { plan.pin = value; });
    expand(plans, axes.lanes, [](Plan& plan, const std::string& value) { plan.lanes = value; });
    expand(plans, axes.step, [](Plan& plan, const std::string& value) {
        plan.step.kind = value;
        plan.step.warm_up = 0;
    });
    for (Plan& plan : plans) {
        plan.step.half_life = axes.half_life;
        plan.step.plateau = axes.plateau;
    }
    expand(plans, axes.step_size, [](Plan& plan, double value) { plan.step.size = value; });
    expand(plans, axes.decay, [](Plan& plan, double value) { plan.step.decay = value; });
    expand(plans, axes.warm_up, [&](Plan& plan, const WarmUp& value) {
        plan.step.warm_up = value.samples ? value.amount * one_over_rows : value.amount;
    });
    expand(plans, axes.batch, [](Plan& plan, std::uint32_t value) { plan.batch.size = value; });
    expand(plans, axes.gpu_batch, [](Plan& plan, std::uint32_t value) { plan.batch.gpu = value; });
    expand(plans, axes.batch_rule, [](Plan& plan, const std::string& value) { plan.batch.rule = value; });
    expand(plans, axes.batch_most, [](Plan& plan, std::uint32_t value) { plan.batch.most = value; });
    expand(plans, axes.backup, [](Plan& plan, unsigned value) { plan.backup = value; });
    expand(plans, axes.exchange, [](Plan& plan, std::uint32_t value) { plan.exchange.period = value; });
    set_clusters(plans, axes);
    expand(plans, axes.cluster, [](Plan& plan, unsigned value) { plan.exchange.cluster = value; });
    expand(plans, axes.exchange_doublings, [](Plan& plan, std::uint32_t value) { plan.exchange.doublings = value; });
    expand(plans, axes.combine, [](Plan& plan, const std::string& value) { plan.exchange.combine = value; });
    expand(plans, axes.coupling, [](Plan& plan, double value) { plan.exchange.coupling = value; });
    for (Plan& plan : plans) plan.l2 = usual_l2(plan.problem, rows, scale.squared_norm);
    expand(plans, axes.l2, [&](Plan& plan, double value) { plan.l2 = value == kOneOverRows ? one_over_rows : value; });
    if (axes.step_size.empty()) {
        for (Plan& plan : plans) limit_step(plan);
    }
    expand(plans, axes.step_scale,
           [](Plan& plan, double value) { plan.step.size = to_digits(plan.step.size * value, 3); });
    expand(plans, axes.network, [](Plan& plan, const std::string& value) { plan.network.layers = one_line(value); });
    expand(plans, axes.read, [](Plan& plan, const std::string& value) { plan.network.read = value; });
    expand(plans, axes.layer_update, [](Plan& plan, const std::string& value) { plan.network.update = value; });
    expand(plans, axes.staleness_rule, [](Plan& plan, const std::string& value) { plan.staleness.rule = value; });
    expand(plans, axes.staleness_limit, [](Plan& plan, std::uint32_t value) { plan.staleness.limit = value; });
    for (const auto& [name, values] : axes.parameters) expand_parameter(plans, name, values);
    expand(plans, axes.epochs, [](Plan& plan, std::uint32_t value) { plan.epochs = value; });
    expand(plans, axes.seed, [](Plan& plan, std::uint64_t value) { plan.seed = value; });
    collapse(plans);

    Product result{std::move(plans), {}, {}};
    leave_out(result, [](const Plan& plan) { return why_not(plan); });
    if (asks_auto(axes)) {
        Axes alone = axes;
        alone.hot_updates = {"auto"};
        const auto made = axes.hot_updates.size() > 1 ? product(alone, rows, scale, hot).plans : result.plans;
        for (const Plan& plan : made) {
            if (applies(plan).hot_updates) result.hot_reasons[hash(plan)] = why_hot(plan, axes, *hot);
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

std::string describe(const Plan& plan, std::string_view said) {
    const Applies axis = applies(plan);
    std::string text = fmt::format("{} {}", plan.problem, plan.scheme);
    if (axis.update) text += " " + update_text(plan);
    if (axis.guard && plan.guard != "none") text += " " + plan.guard;
    if (axis.threads) text += fmt::format(", {} thread{}", plan.threads, plan.threads == 1 ? "" : "s");
    if (plan.device != "cpu") text += plan.device == "both" ? " on both devices" : " on gpu";
    if (axis.streams) text += fmt::format(", {} stream{} of ", plan.gpu.streams, plan.gpu.streams == 1 ? "" : "s");
    if (axis.streams) text += axis.blocks ? fmt::format("{} blocks", plan.gpu.blocks) : "graphs";
    if (axis.int8_range) text += fmt::format(", int8 range {}", human(plan.int8_range));
    if (plan.l1 > 0) text += fmt::format(", l1 {}", human(plan.l1));
    if (plan.memory != home_of(plan.device)) text += ", " + plan.memory + " memory";
    if (plan.placement != usual_placement(plan)) text += ", " + plan.placement + " placement";
    if (axis.hot && plan.device == "cpu") text += fmt::format(", {} hot", plan.hot.count);
    if (axis.hot_rule) text += fmt::format(", {} hot x {}", plan.hot.count, human(plan.hot.rule));
    text += fmt::format(", {} step {}", plan.step.kind, human(plan.step.size));
    if (axis.decay) text += fmt::format(" x {}", human(plan.step.decay));
    if (plan.step.warm_up > 0) text += fmt::format(", warm-up {}", human(plan.step.warm_up));
    if (axis.batch) text += fmt::format(", batch {}", plan.batch.size);
    if (axis.batch_rule && plan.batch.gpu > 0) text += fmt::format(", {} on the GPU", plan.batch.gpu);
    if (axis.batch_most) text += fmt::format(", {} up to {}", plan.batch.rule, plan.batch.most);
    if (axis.backup) text += fmt::format(", {} backup{}", plan.backup, plan.backup == 1 ? "" : "s");
    if (axis.exchange) text += fmt::format(", exchange {}", plan.exchange.period);
    if (axis.cluster) text += fmt::format(", {} to a model", plan.exchange.cluster);
    if (axis.doublings) text += fmt::format(" x 2^{}", plan.exchange.doublings);
    if (axis.combine) text += ", " + plan.exchange.combine;
    if (axis.coupling) text += fmt::format(", coupling {}", human(plan.exchange.coupling));
    for (const Parameter& each : parameters(plan.problem)) {
        const double value = *parameter(plan, each.name);
        if (value != each.usual) text += fmt::format(", {} {}", each.name, value);
    }
    if (takes_network(plan.problem) && plan.network.layers != said) text += ", " + short_text(plan.network.layers);
    if (axis.read && plan.network.read != "in-place") text += ", read as a copy";
    if (axis.products) text += ", products in " + plan.gpu.products;
    if (plan.optimizer.name != "sgd") text += ", " + plan.optimizer.name;
    if (axis.state && plan.optimizer.state != "shared")
        text += plan.optimizer.state == "per-device" ? " with a state per device" : " with a state per worker";
    if (axis.beta1 && plan.optimizer.beta1 != Plan{}.optimizer.beta1)
        text += fmt::format(", beta1 {}", human(plan.optimizer.beta1));
    if (axis.beta2 && plan.optimizer.beta2 != traits(plan.optimizer.name).usual_beta2)
        text += fmt::format(", beta2 {}", human(plan.optimizer.beta2));
    if (plan.network.update != "none") text += ", layers " + plan.network.update;
    if (axis.staleness_rule && plan.staleness.rule != "none") text += ", stale steps " + plan.staleness.rule;
    if (axis.staleness_limit) text += fmt::format(" {}", plan.staleness.limit);
    if (plan.lanes != "auto") text += ", lanes " + plan.lanes;
    if (plan.telemetry != "off") text += ", telemetry " + plan.telemetry;
    if (plan.delay > 0) text += fmt::format(", each gradient {} later", human_seconds(plan.delay));
    return text;
}

std::string network_of_all(const std::vector<Plan>& plans) {
    const auto has_it = [&](const Plan& plan) {
        return takes_network(plan.problem) && plan.network.layers == plans[0].network.layers;
    };
    return !plans.empty() && std::ranges::all_of(plans, has_it) ? plans[0].network.layers : "";
}

} // namespace hogwild
