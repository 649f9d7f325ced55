#include "experiments/plans/applies.h"

#include "engine/memory/memory_kind.h"
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
    const bool hogwild = plan.scheme == "hogwild", unguarded = plan.guard == "none";
    const bool gpu = plan.device != "cpu", streams = gpu_workers(plan) > 0;
    const bool exchanges = plan.scheme == "async-local-sgd" || (hogwild && plan.hot.updates == "replicated");
    const bool hot = hogwild && plan.hot.updates != "direct";
    const bool optimizes = takes_network(plan.problem);
    const OptimizerTraits optimizer = traits(plan.optimizer.name);
    const bool chooses_steps = hogwild && gpu && takes_network(plan.problem), graphs = steps_by_graphs(plan);
    const bool low_precision = is_low_precision(parse_memory(plan.memory));
    const bool asks = plan.staleness.rule != "none";
    const bool meets = plan.guard != "locked-read"; // else none writes between a step's read and its write
    const bool rules =
        hogwild && (touches_all(plan.problem) ? meets && (!gpu || asks) : is_guided(plan.problem) && asks);
    return {
        .threads = plan.scheme != "serial" && plan.device != "gpu",
        .update = chooses_update(plan.scheme) && unguarded,
        .guard = hogwild,
        .batch = is_minibatch(plan.scheme) || plan.scheme == "cyclades" || takes_batches(plan.problem),
        .backup = plan.scheme == "backup-workers",
        .exchange = plan.scheme == "local-sgd" || exchanges || hot || has_clusters(plan.scheme),
        .doublings = exchanges && !takes_network(plan.problem),
        .combine = exchanges,
        .coupling = exchanges && plan.exchange.combine == "sequential",
        .read = takes_batches(plan.problem) && !is_minibatch(plan.scheme),
        .optimizer = optimizes,
        .state = optimizes && optimizer.state && (hogwild || plan.scheme == "round-robin"),
        .beta1 = optimizes && optimizer.beta1,
        .beta2 = optimizes && optimizer.beta2,
        .l2 = regularised(plan.problem),
        .telemetry = plan.scheme == "serial" || hogwild || plan.scheme == "round-robin",
        .decay = plan.step.kind == "decay" || plan.step.kind == "backoff",
        .half_life = plan.step.kind == "inverse-time",
        .plateau = plan.step.kind == "backoff",
        .cas_limit = hogwild && ((unguarded && plan.update == "cas-bounded") || plan.guard == "publish"),
        .layer_update = hogwild && unguarded && takes_network(plan.problem),
        .staleness_rule = rules,
        .staleness_limit = rules && has_limit(staleness_rule(plan.staleness.rule)),
        .device = hogwild || plan.scheme == "minibatch" || (plan.scheme == "async-local-sgd" && optimizes),
        .memory = hogwild || steps_on_doubles(plan.scheme) || (plan.scheme == "serial" && low_precision),
        .int8_range = (hogwild || plan.scheme == "serial") && has_int8(plan),
        .streams = streams,
        .blocks = streams && !graphs,
        .gpu_steps = chooses_steps,
        .products = graphs,
        .hot_rule = hogwild && gpu && plan.hot.count > 0,
        .bridge = hogwild && gpu && plan.memory == "replica",
        .batch_rule = has_two_batches(plan),
        .batch_most = has_two_batches(plan) && adapts(plan),
        .cluster = has_clusters(plan.scheme),
        .hot_updates = hogwild,
        .hot = hot || (hogwild && (gpu || places_hot(plan))),
        .network = takes_network(plan.problem),
    };
}

bool wants_gpu(const Plan& plan) { return plan.device != "cpu" || !is_host(parse_memory(plan.memory)); }

std::string home_of(std::string_view device) {
    return device == "cpu" ? "host" : device == "gpu" ? "device" : "replica";
}

unsigned usual_threads(const Plan& plan, unsigned cores) {
    const bool both = plan.device == "both" && applies(plan).device;
    const unsigned others = both ? gpu_workers(plan) + bridges(plan) + 1 : 0;
    return cores > others ? cores - others : 1;
}

std::uint32_t usual_hot(const Plan& plan, std::uint32_t dense_columns) {
    constexpr std::uint32_t kUsual = 64, kFewBlocks = 100;
    if (plan.hot.updates != "direct" && plan.device == "cpu")
        return is_linear(plan.problem) ? kHotOfThreads : kHotOfGroups;
    const bool copies =
        is_linear(plan.problem) && plan.device != "cpu" && plan.update == "atomic" && plan.telemetry != "exact";
    return copies && dense_columns <= kUsual && plan.gpu.streams * plan.gpu.blocks >= kFewBlocks ? kUsual : 0;
}

std::string update_text(const Plan& plan) {
    return plan.hot.updates == "direct" ? plan.update : plan.update + "+" + plan.hot.updates;
}

std::string usual_placement(const Plan& plan, std::uint32_t dense_columns) {
    const bool owned = plan.device != "cpu" || plan.hot.updates != "direct"; // by threads or by blocks
    if (plan.hot.count > 0 && owned && is_linear(plan.problem) && applies(plan).hot) return "hot-first";
    const bool sparse = is_linear(plan.problem) && dense_columns == 0;
    if (plan.scheme == "async-local-sgd" && is_linear(plan.problem)) return "hottest";
    return gpu_workers(plan) > 0 && sparse ? "scattered" : "stored";
}

void suit_placement(Plan& plan) {
    if (places_hot(plan) && plan.device == "cpu" && plan.hot.count == 0) plan.hot.count = kHotOfThreads;
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
    if (!axis.state || (plan.optimizer.state == "per-device" && plan.device != "both"))
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
