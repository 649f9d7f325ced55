#include "engine/plan/meaning.h"

#include "engine/memory/memory_kind.h"
#include "kernels/catalog.h"
#include "kernels/steps/staleness_rule.h"

namespace hogwild {
namespace {

bool is_hogwild(const Plan& plan) { return plan.scheme == "hogwild"; }

bool unguarded(const Plan& plan) { return plan.guard == "none"; }

/// Whether workers exchange what they have of their own with one shared model.
bool exchanges_shared(const Plan& plan) {
    return plan.scheme == "async-local-sgd" || (is_hogwild(plan) && plan.hot.updates == "replicated");
}

/// Whether CPU threads write increments of hot coordinates in another way than the rest.
bool has_own_hot_updates(const Plan& plan) { return is_hogwild(plan) && plan.hot.updates != "direct"; }

bool uses_gpu(const Plan& plan) { return plan.device != "cpu"; }

} // namespace

namespace means {

bool threads(const Plan& plan) { return plan.scheme != "serial" && plan.device != "gpu"; }

bool update(const Plan& plan) { return chooses_update(plan.scheme) && unguarded(plan); }

bool guard(const Plan& plan) { return is_hogwild(plan); }

bool batch(const Plan& plan) {
    return is_minibatch(plan.scheme) || plan.scheme == "cyclades" || takes_batches(plan.problem);
}

bool backup(const Plan& plan) { return plan.scheme == "backup-workers"; }

bool exchange(const Plan& plan) {
    return plan.scheme == "local-sgd" || exchanges_shared(plan) || has_own_hot_updates(plan) || cluster(plan);
}

bool doublings(const Plan& plan) { return exchanges_shared(plan) && !takes_network(plan.problem); }

bool combine(const Plan& plan) { return exchanges_shared(plan); }

bool coupling(const Plan& plan) { return combine(plan) && plan.exchange.combine == "sequential"; }

bool cluster(const Plan& plan) { return has_clusters(plan.scheme); }

bool network(const Plan& plan) { return takes_network(plan.problem); }

bool read(const Plan& plan) { return takes_batches(plan.problem) && !is_minibatch(plan.scheme); }

bool state(const Plan& plan) {
    const bool one_buffer = is_hogwild(plan) || plan.scheme == "round-robin";
    return network(plan) && traits(plan.optimizer.name).state && one_buffer;
}

bool beta1(const Plan& plan) { return network(plan) && traits(plan.optimizer.name).beta1; }

bool beta2(const Plan& plan) { return network(plan) && traits(plan.optimizer.name).beta2; }

bool l2(const Plan& plan) { return regularised(plan.problem); }

bool telemetry(const Plan& plan) { return plan.scheme == "serial" || is_hogwild(plan) || plan.scheme == "round-robin"; }

bool decay(const Plan& plan) { return plan.step.kind == "decay" || plan.step.kind == "backoff"; }

bool half_life(const Plan& plan) { return plan.step.kind == "inverse-time"; }

bool plateau(const Plan& plan) { return plan.step.kind == "backoff"; }

bool cas_limit(const Plan& plan) {
    return is_hogwild(plan) && ((unguarded(plan) && plan.update == "cas-bounded") || plan.guard == "publish");
}

bool layer_update(const Plan& plan) { return is_hogwild(plan) && unguarded(plan) && network(plan); }

bool staleness_rule(const Plan& plan) {
    const bool asks = plan.staleness.rule != "none";
    const bool meets = plan.guard != "locked-read"; // else none writes between a step's read and its write
    if (!is_hogwild(plan)) return false;
    return touches_all(plan.problem) ? meets && (!uses_gpu(plan) || asks) : is_guided(plan.problem) && asks;
}

bool staleness_limit(const Plan& plan) {
    return staleness_rule(plan) && has_limit(hogwild::staleness_rule(plan.staleness.rule));
}

bool device(const Plan& plan) {
    return is_hogwild(plan) || plan.scheme == "minibatch" || (plan.scheme == "async-local-sgd" && network(plan));
}

bool memory(const Plan& plan) {
    const bool short_numbers = is_low_precision(parse_memory(plan.memory));
    return is_hogwild(plan) || steps_on_doubles(plan.scheme) || (plan.scheme == "serial" && short_numbers);
}

bool int8_range(const Plan& plan) { return (is_hogwild(plan) || plan.scheme == "serial") && has_int8(plan); }

bool streams(const Plan& plan) { return gpu_workers(plan) > 0; }

bool blocks(const Plan& plan) { return streams(plan) && !steps_by_graphs(plan); }

bool gpu_steps(const Plan& plan) { return is_hogwild(plan) && uses_gpu(plan) && network(plan); }

bool products(const Plan& plan) { return steps_by_graphs(plan); }

bool hot_rule(const Plan& plan) { return is_hogwild(plan) && uses_gpu(plan) && plan.hot.count > 0; }

bool bridge(const Plan& plan) { return is_hogwild(plan) && uses_gpu(plan) && plan.memory == "replica"; }

bool two_batches(const Plan& plan) { return has_two_batches(plan); }

bool batch_most(const Plan& plan) { return has_two_batches(plan) && adapts(plan); }

bool hot_updates(const Plan& plan) { return is_hogwild(plan); }

bool hot(const Plan& plan) {
    return has_own_hot_updates(plan) || (is_hogwild(plan) && (uses_gpu(plan) || places_hot(plan)));
}

} // namespace means

bool places_hot(const Plan& plan) { return plan.placement.starts_with("hot-"); }

bool wants_gpu(const Plan& plan) { return plan.device != "cpu" || !is_host(parse_memory(plan.memory)); }

std::string update_text(const Plan& plan) {
    return plan.hot.updates == "direct" ? plan.update : plan.update + "+" + plan.hot.updates;
}

} // namespace hogwild
