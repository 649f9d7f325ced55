// What goes against a network, its optimiser, and policies of its layers.
#include "engine/plan/plan.h"
#include "engine/plan/refusals/refusals.h"

#include "engine/network/layer_updates.h"
#include "engine/network/network.h"
#include "engine/plan/choices.h"
#include "engine/plan/optimizer_traits.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/network/optimizer.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

std::string no_weights_to_go_by(std::string_view policy, const Plan& plan) {
    return fmt::format("{} writes no weight for {} to go by; use --optimizer sgd", policy, plan.optimizer.name);
}

} // namespace

std::string why_not_optimizer(const Plan& plan) {
    if (is_plain_sgd(plan)) return "";
    if (!problem_traits(plan).takes_network)
        return fmt::format("steps of {} are plain SGD, {} is for networks; use --optimizer sgd", plan.problem,
                           plan.optimizer.name);
    if (on_both(plan) && !state_traits(plan).per_device && !state_traits(plan).per_worker &&
        optimizer_traits(plan).state)
        return fmt::format("threads and a GPU have no state of {} in common; use --state per-device or per-worker",
                           plan.optimizer.name);
    if (scheme_traits(plan).layer_updates && !update_traits(plan).writes) return no_weights_to_go_by(plan.update, plan);
    if (scheme_traits(plan).guards && guard_traits(plan).publishes)
        return fmt::format("a step that publish drops would have moved {}'s state; use --guard none or --optimizer sgd",
                           plan.optimizer.name);
    return "";
}

std::string why_not_network(const Plan& plan) {
    if (!problem_traits(plan).takes_network || !normalises(plan.network.layers)) return "";
    const SchemeTraits& scheme = scheme_traits(plan);
    if (scheme.writers == Writers::kTurns)
        return plan.scheme + " takes single images, which have no variance for batchnorm; use another scheme";
    if (scheme.backups)
        return plan.scheme + " parts a batch where batchnorm wants ghost batches whole; use --scheme minibatch";
    if (scheme.exchanges() && !combine_traits(plan).averages)
        return "what several workers moved batchnorm's running averages by would add up to more than one of them; use "
               "--combine average";
    if (plan.batch.size == 1)
        return "a batch of one image has no variance for batchnorm; use --batch 2 or more, or a network without it";
    return "";
}

std::string why_not_layers(const Plan& plan) {
    if (plan.network.update == kNoLayerUpdates) return "";
    if (!problem_traits(plan).takes_network)
        return fmt::format("{} has no layers, and layers alone have a policy of their own; use --layer-update none",
                           plan.problem);
    if (!scheme_traits(plan).layer_updates || guard_traits(plan).orders)
        return "only hogwild without a guard has a choice of updates; use --layer-update none";
    const auto writes_nothing = [](const UpdateTraits& policy) { return !policy.writes; };
    if (is_plain_sgd(plan)) return "";
    const std::string_view silent = layer_policy(plan.network.update, writes_nothing);
    return silent.empty() ? "" : no_weights_to_go_by(silent, plan);
}

} // namespace hogwild
