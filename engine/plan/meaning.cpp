#include "engine/plan/meaning.h"

#include "engine/data/sparse/placement.h"
#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/name_places.h"
#include "engine/plan/optimizer_traits.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"
#include "kernels/steps/staleness_rule.h"

namespace hogwild {
namespace {

bool unguarded(const Plan& plan) { return !guard_traits(plan).orders; }

bool uses_gpu(const Plan& plan) { return device_traits(plan).gpu; }

/// Whether streams of a GPU share what threads step on.
bool beside_gpu(const Plan& plan) { return has_gpu_streams(scheme_traits(plan)) && uses_gpu(plan); }

/// Whether workers exchange what they have of their own with one shared model.
bool exchanges_shared(const Plan& plan) {
    return scheme_traits(plan).exchanges() || (scheme_traits(plan).hot_updates && hot_traits(plan).replicates);
}

/// Whether CPU threads write increments of hot coordinates in another way than the rest.
bool has_own_hot_updates(const Plan& plan) { return scheme_traits(plan).hot_updates && hot_traits(plan).elsewhere; }

} // namespace

namespace means {

bool threads(const Plan& plan) { return scheme_traits(plan).writers != Writers::kOne && device_traits(plan).threads; }

bool update(const Plan& plan) { return scheme_traits(plan).updates != UpdateChoice::kNone && unguarded(plan); }

bool guard(const Plan& plan) { return scheme_traits(plan).guards; }

bool batch(const Plan& plan) { return scheme_traits(plan).batches || problem_traits(plan).takes_batches; }

bool backup(const Plan& plan) { return scheme_traits(plan).backups; }

bool exchange(const Plan& plan) {
    return has_replicas(scheme_traits(plan)) || exchanges_shared(plan) || has_own_hot_updates(plan);
}

bool doublings(const Plan& plan) { return exchanges_shared(plan) && !problem_traits(plan).takes_network; }

bool combine(const Plan& plan) { return exchanges_shared(plan); }

bool coupling(const Plan& plan) { return combine(plan) && combine_traits(plan).measures; }

bool cluster(const Plan& plan) { return scheme_traits(plan).has_clusters(); }

bool network(const Plan& plan) { return problem_traits(plan).takes_network; }

bool read(const Plan& plan) { return problem_traits(plan).takes_batches && !scheme_traits(plan).is_minibatch(); }

bool state(const Plan& plan) {
    return network(plan) && optimizer_traits(plan).state && scheme_traits(plan).optimizer_states;
}

bool beta1(const Plan& plan) { return network(plan) && optimizer_traits(plan).beta1; }

bool beta2(const Plan& plan) { return network(plan) && optimizer_traits(plan).beta2; }

bool l2(const Plan& plan) { return problem_traits(plan).regularised; }

bool telemetry(const Plan& plan) { return scheme_traits(plan).no_telemetry.empty(); }

bool decay(const Plan& plan) { return step_traits(plan).decay; }

bool half_life(const Plan& plan) { return step_traits(plan).half_life; }

bool plateau(const Plan& plan) { return step_traits(plan).plateau; }

bool cas_limit(const Plan& plan) {
    const bool gives_up = unguarded(plan) && update_traits(plan).drops;
    return scheme_traits(plan).guards && (gives_up || guard_traits(plan).publishes);
}

bool layer_update(const Plan& plan) { return scheme_traits(plan).layer_updates && unguarded(plan) && network(plan); }

bool staleness_rule(const Plan& plan) {
    if (!scheme_traits(plan).staleness_rules) return false;
    if (!problem_traits(plan).touches_all) return problem_traits(plan).guided && has_rule(plan);
    return !guard_traits(plan).alone && (!uses_gpu(plan) || has_rule(plan));
}

bool staleness_limit(const Plan& plan) {
    return staleness_rule(plan) && has_limit(hogwild::staleness_rule(plan.staleness.rule));
}

bool device(const Plan& plan) {
    const SchemeTraits& scheme = scheme_traits(plan);
    return has_gpu_streams(scheme) || has_gpu_batches(scheme) || (has_gpu_teams(scheme) && network(plan));
}

bool memory(const Plan& plan) {
    const bool short_numbers = scheme_traits(plan).short_numbers && is_low_precision(memory_kind(plan));
    return chooses_memory(scheme_traits(plan)) || short_numbers;
}

bool numbers(const Plan& plan) { return memory(plan); }

bool rounding(const Plan& plan) { return numbers(plan) && is_short(memory_kind(plan)); }

bool int8_range(const Plan& plan) { return scheme_traits(plan).short_numbers && has_int8(plan); }

bool streams(const Plan& plan) { return gpu_workers(plan) > 0; }

bool blocks(const Plan& plan) { return streams(plan) && !steps_by_graphs(plan); }

bool gpu_steps(const Plan& plan) { return beside_gpu(plan) && network(plan); }

bool products(const Plan& plan) { return steps_by_graphs(plan); }

bool hot_rule(const Plan& plan) { return beside_gpu(plan) && plan.hot.count > 0; }

bool bridge(const Plan& plan) { return beside_gpu(plan) && is_replica(memory_kind(plan)); }

bool two_batches(const Plan& plan) { return has_two_batches(plan); }

bool batch_most(const Plan& plan) { return has_two_batches(plan) && adapts(plan); }

bool hot_updates(const Plan& plan) { return scheme_traits(plan).hot_updates; }

bool hot(const Plan& plan) {
    return has_own_hot_updates(plan) || (hot_updates(plan) && (uses_gpu(plan) || places_hot(plan)));
}

} // namespace means

bool places_hot(const Plan& plan) { return placement_traits(plan.placement).counted; }

bool wants_gpu(const Plan& plan) { return uses_gpu(plan) || !is_host(memory_kind(plan)); }

std::string update_text(const Plan& plan) {
    return hot_traits(plan).elsewhere ? plan.update + "+" + plan.hot.updates : plan.update;
}

} // namespace hogwild
