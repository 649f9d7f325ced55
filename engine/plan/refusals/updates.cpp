// What goes against how increments are written: telemetry, guards, clusters, delays, rules for stale steps, shrinkage.
#include "engine/plan/plan.h"
#include "engine/plan/refusals/refusals.h"

#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/shrinkage.h"
#include "engine/plan/name_places.h"
#include "engine/plan/problem_traits.h"
#include "kernels/steps/staleness_rule.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

// A cell of 256 steps then takes at most 2^-60 off the scale of lazy L2 (engine/order/timeline.h).
constexpr double kLargestDecay = 0.15;

} // namespace

bool is_racy_or_atomic(const Plan& plan) { return update_traits(plan).overwrites() || update_traits(plan).adds(); }

std::string why_not_telemetry(const Plan& plan) {
    if (!has_telemetry(plan) || scheme_traits(plan).no_telemetry.empty()) return "";
    return fmt::format(fmt::runtime(scheme_traits(plan).no_telemetry), plan.scheme);
}

std::string why_not_guard(const Plan& plan) {
    if (!guard_traits(plan).orders || !scheme_traits(plan).guards) return "";
    if (!update_traits(plan).overwrites()) {
        return fmt::format("guard {} already orders writers, so it goes with racy, not {}", plan.guard, plan.update);
    }
    if (!guard_traits(plan).publishes) return "";
    if (!problem_traits(plan).guided)
        return fmt::format("publish copies every weight at each step, of which one of {} touches few; use --guard none",
                           plan.problem);
    if (reads_copy(plan)) return "a published vector does not change while it is read; use --read in-place";
    if (counts_all(plan))
        return "publish loses no increment, and its dropped steps are counted; use --telemetry sampled";
    if (!is_host(memory_kind(plan))) return "published vectors lie in ordinary memory; use --memory host";
    return "";
}

std::string why_not_clusters(const Plan& plan) {
    if (!scheme_traits(plan).has_clusters()) return "";
    if (std::string reason = why_not_telemetry(plan); !reason.empty()) return reason;
    if (problem_traits(plan).takes_network)
        return plan.scheme + with_names(" has no state of an optimiser for each model, nor statistics of layers; use "
                                        "{averaged_replicas}");
    if (scheme_traits(plan).merging == Merging::kExchanges && problem_traits(plan).projects)
        return plan.scheme + with_names(" adds increments of other models, which lead points out of their simplex; use "
                                        "{averaged_replicas}");
    return "";
}

std::string why_not_stale(const Plan& plan) {
    if (!has_rule(plan)) return "";
    if (!scheme_traits(plan).staleness_rules) return plan.scheme + " has no stale steps; use --staleness-rule none";
    if (on_both(plan))
        return "threads and a GPU count their steps apart; use --device cpu or gpu, or --staleness-rule none";
    if (!problem_traits(plan).guided)
        return fmt::format("steps of {} have no factor that a staleness rule could set; use --staleness-rule none",
                           plan.problem);
    if (guard_traits(plan).publishes)
        return "publish knows how stale a step is when its increments are made; use --staleness-rule none";
    if (!problem_traits(plan).touches_all) {
        if (device_traits(plan).gpu)
            return "a GPU does not count steps on sparse rows; use --device cpu, or --staleness-rule none";
        if (guard_traits(plan).orders)
            return fmt::format("steps of {} are counted where nothing else is held; use --guard none, or "
                               "--staleness-rule none",
                               plan.problem);
        if (!is_racy_or_atomic(plan))
            return fmt::format("steps of {} are counted under racy and atomic, not {}; use one of these, or "
                               "--staleness-rule none",
                               plan.problem, plan.update);
    }
    if (staleness_rule(plan.staleness.rule) == StalenessRule::kDelayAdaptive && plan.staleness.limit == 0)
        return "delay-adaptive steps by R / tau, and with R = 0 writes nothing; use --staleness-limit 1 or more";
    return "";
}

std::string why_not_delay(const Plan& plan) {
    if (plan.delay > 0 && (scheme_traits(plan).is_minibatch() || device_traits(plan).gpu))
        return "only CPU threads that step sample by sample delay a gradient";
    return "";
}

std::string why_not_counted(const Plan& plan) {
    if (scheme_traits(plan).updates == UpdateChoice::kAll && !update_traits(plan).writes && counts_all(plan))
        return plan.update + " writes nothing, so there is nothing to count";
    return "";
}

std::string why_not_shrinkage(const Plan& plan) {
    const double share = shrinkage(plan);
    if (!(share > kLargestDecay) || scheme_traits(plan).steps_on_doubles()) return "";
    const bool batch = share < plan.step.size * plan.l2;
    return fmt::format("step {} x lambda {}{} must not pass {}, or the weights would forget within a few samples",
                       plan.step.size, plan.l2, batch ? fmt::format(" / batch {}", plan.batch.size) : "",
                       kLargestDecay);
}

} // namespace hogwild
