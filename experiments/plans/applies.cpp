#include "experiments/plans/applies.h"

#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"
#include "kernels/steps/staleness_rule.h"

#include <algorithm>

namespace hogwild {

namespace {

constexpr std::uint32_t kHotOfThreads = 256, kHotOfGroups = 8192;

/// Whether the placement is of so many hottest coordinates.
bool places_hot(const Plan& plan) { return plan.placement.starts_with("hot-"); }

} // namespace

Applies applies(const Plan& plan) {
    const SchemeTraits& scheme = traits(plan);
    const GuardTraits& guard = guard_traits(plan);
    const HotUpdateTraits& hot_updates = hot_traits(plan);
    const bool unguarded = !guard.holds, gpu = device_traits(plan).gpu, streams = gpu_workers(plan) > 0;
    const bool beside_gpu = scheme.on_gpu == OnGpu::kStreams && gpu; // streams share what threads step on
    const bool exchanges = scheme.exchanges() || (scheme.hot_updates && hot_updates.replicates);
    const bool hot = scheme.hot_updates && hot_updates.elsewhere;
    const bool networks = takes_network(plan.problem), graphs = steps_by_graphs(plan);
    const OptimizerTraits optimizer = traits(plan.optimizer.name);
    const bool low_precision = is_low_precision(parse_memory(plan.memory));
    const bool rules =
        scheme.staleness_rules && (touches_all(plan.problem) ? !guard.holds_reads && (!gpu || has_rule(plan))
                                                             : is_guided(plan.problem) && has_rule(plan));
    return {
        .threads = scheme.writers != Writers::kOne && device_traits(plan).threads,
        .update = scheme.updates != UpdateChoice::kNone && unguarded,
        .guard = scheme.guards,
        .batch = scheme.batches || takes_batches(plan.problem),
        .backup = scheme.backups,
        .exchange = scheme.replicas != Replication::kNone || exchanges || hot,
        .doublings = exchanges && !networks,
        .combine = exchanges,
        .coupling = exchanges && combine_traits(plan).measures,
        .read = takes_batches(plan.problem) && !scheme.is_minibatch(),
        .optimizer = networks,
        .state = networks && optimizer.state && scheme.optimizer_states,
        .beta1 = networks && optimizer.beta1,
        .beta2 = networks && optimizer.beta2,
        .l2 = regularised(plan.problem),
        .telemetry = scheme.no_telemetry.empty(),
        .decay = step_traits(plan).decay,
        .half_life = step_traits(plan).half_life,
        .plateau = step_traits(plan).plateau,
        .cas_limit = scheme.guards && ((unguarded && update_traits(plan).gives_up) || guard.publishes),
        .layer_update = scheme.layer_updates && unguarded && networks,
        .staleness_rule = rules,
        .staleness_limit = rules && has_limit(staleness_rule(plan.staleness.rule)),
        .device = scheme.on_gpu == OnGpu::kStreams || scheme.on_gpu == OnGpu::kBatches ||
                  (scheme.on_gpu == OnGpu::kTeams && networks),
        .memory =
            scheme.on_gpu == OnGpu::kStreams || scheme.steps_on_doubles() || (scheme.short_numbers && low_precision),
        .int8_range = scheme.short_numbers && has_int8(plan),
        .streams = streams,
        .blocks = streams && !graphs,
        .gpu_steps = beside_gpu && networks,
        .products = graphs,
        .hot_rule = beside_gpu && plan.hot.count > 0,
        .bridge = beside_gpu && plan.memory == "replica",
        .batch_rule = has_two_batches(plan),
        .batch_most = has_two_batches(plan) && adapts(plan),
        .cluster = scheme.has_clusters(),
        .hot_updates = scheme.hot_updates,
        .hot = hot || (scheme.hot_updates && (gpu || places_hot(plan))),
        .network = networks,
    };
}

bool wants_gpu(const Plan& plan) { return device_traits(plan).gpu || !is_host(parse_memory(plan.memory)); }

std::string home_of(std::string_view device) { return std::string(choice_named(kDeviceTraits, device).home); }

unsigned usual_threads(const Plan& plan, unsigned cores) {
    const bool both = on_both(plan) && applies(plan).device;
    const unsigned others = both ? gpu_workers(plan) + bridges(plan) + 1 : 0;
    return cores > others ? cores - others : 1;
}

std::uint32_t usual_hot(const Plan& plan, std::uint32_t dense_columns) {
    constexpr std::uint32_t kUsual = 64, kFewBlocks = 100;
    if (hot_traits(plan).elsewhere && !device_traits(plan).gpu)
        return is_linear(plan.problem) ? kHotOfThreads : kHotOfGroups;
    const bool copies =
        is_linear(plan.problem) && device_traits(plan).gpu && update_traits(plan).adds && !counts_all(plan);
    return copies && dense_columns <= kUsual && plan.gpu.streams * plan.gpu.blocks >= kFewBlocks ? kUsual : 0;
}

std::string update_text(const Plan& plan) {
    return hot_traits(plan).elsewhere ? plan.update + "+" + plan.hot.updates : plan.update;
}

std::string usual_placement(const Plan& plan, std::uint32_t dense_columns) {
    const bool owned = device_traits(plan).gpu || hot_traits(plan).elsewhere; // by threads or by blocks
    if (plan.hot.count > 0 && owned && is_linear(plan.problem) && applies(plan).hot) return "hot-first";
    const bool sparse = is_linear(plan.problem) && dense_columns == 0;
    if (traits(plan).exchanges() && is_linear(plan.problem)) return "hottest";
    return gpu_workers(plan) > 0 && sparse ? "scattered" : "stored";
}

void suit_placement(Plan& plan) {
    if (places_hot(plan) && !device_traits(plan).gpu && plan.hot.count == 0) plan.hot.count = kHotOfThreads;
}

Plan collapsed(Plan plan) {
    const Plan neutral;
    if (!applies(plan).guard) plan.guard = neutral.guard;    // before update, whose meaning depends on the guard
    if (!applies(plan).device) plan.device = neutral.device; // before what depends on the device
    if (!applies(plan).hot_updates) plan.hot.updates = neutral.hot.updates; // before what it exchanges
    const Applies axis = applies(plan);
    if (!axis.memory) plan.memory = home_of(plan.device);
    if (!axis.streams) plan.gpu.streams = neutral.gpu.streams;
    if (!axis.hot) plan.hot.count = neutral.hot.count;
    if (!axis.blocks) plan.gpu.blocks = neutral.gpu.blocks;
    if (!axis.gpu_steps) plan.gpu.steps = neutral.gpu.steps;
    if (!axis.products) plan.gpu.products = neutral.gpu.products;
    if (!axis.hot_rule) plan.hot.rule = neutral.hot.rule;
    if (plan.hot.count == 0 && places_hot(plan)) plan.placement = "scattered";
    if (!axis.bridge) {
        plan.bridge.rule = neutral.bridge.rule;
        plan.bridge.pause = neutral.bridge.pause;
    }
    if (!axis.threads) plan.threads = neutral.threads;
    if (!axis.update) plan.update = neutral.update;
    if (!axis.batch) plan.batch.size = neutral.batch.size;
    if (!axis.batch_rule) {
        plan.batch.gpu = neutral.batch.gpu;
        plan.batch.rule = neutral.batch.rule;
    }
    if (!axis.batch_most) plan.batch.most = neutral.batch.most;
    if (!axis.backup) plan.backup = neutral.backup;
    if (!axis.read) plan.network.read = neutral.network.read;
    if (!axis.state || (state_traits(plan).per_device && !on_both(plan)))
        plan.optimizer.state = neutral.optimizer.state;
    if (!axis.beta1) plan.optimizer.beta1 = neutral.optimizer.beta1;
    if (!axis.beta2) plan.optimizer.beta2 = neutral.optimizer.beta2;
    if (!axis.network) plan.network.layers = neutral.network.layers;
    if (!axis.l2) plan.l2 = neutral.l2;
    if (!axis.exchange) plan.exchange.period = neutral.exchange.period;
    plan.exchange.cluster = axis.cluster ? std::min(plan.exchange.cluster, plan.threads) : neutral.exchange.cluster;
    if (!axis.doublings) plan.exchange.doublings = neutral.exchange.doublings;
    if (!axis.combine) plan.exchange.combine = neutral.exchange.combine;
    if (!axis.coupling) plan.exchange.coupling = neutral.exchange.coupling;
    if (!axis.int8_range) plan.int8_range = neutral.int8_range;
    if (!axis.telemetry) plan.telemetry = neutral.telemetry;
    if (!axis.decay) plan.step.decay = neutral.step.decay;
    if (!axis.half_life) plan.step.half_life = neutral.step.half_life;
    if (!axis.plateau) plan.step.plateau = neutral.step.plateau;
    if (!axis.cas_limit) plan.cas_limit = neutral.cas_limit;
    if (!axis.layer_update && takes_network(plan.problem)) plan.network.update = neutral.network.update;
    if (!axis.staleness_rule) plan.staleness.rule = neutral.staleness.rule;
    if (!axis.staleness_limit) plan.staleness.limit = neutral.staleness.limit;
    return plan;
}

} // namespace hogwild
