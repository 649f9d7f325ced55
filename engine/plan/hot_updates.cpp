#include "engine/plan/hot_updates.h"

#include "engine/data/sparse/placement.h"
#include "engine/memory/viewed_pages.h"
#include "engine/plan/choices.h"
#include "engine/plan/name_places.h"
#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"
#include "kernels/steps/thinned.h"

#include <algorithm>

#include <fmt/format.h>

namespace hogwild {

std::string why_not_hot_updates(const Plan& plan) {
    const HotUpdateTraits& hot = hot_traits(plan);
    if (!hot.elsewhere) return "";
    if (!scheme_traits(plan).hot_updates)
        return plan.scheme + " has no choice of increments of hot coordinates; use --hot-updates direct";
    if (problem_traits(plan).touches_all)
        return with_names("a step on a " + plan.problem +
                          " touches all coordinates, so none is hotter than another; use --hot-updates direct, or "
                          "--scheme {exchanges} for replicas of all");
    if (hot.collects && problem_traits(plan).projects)
        return "increments of a cut's nodes that several workers collect take them out of the simplex, and their ways "
               "back add up too; use --hot-updates replicated";
    if (hot.thins && !is_linear(plan.problem))
        return plan.problem + " steps have no form that leaves out increments; use --hot-updates replicated";
    if (device_traits(plan).gpu)
        return "increments of hot coordinates are a choice of CPU threads, a GPU's blocks copy them; use --hot-updates "
               "direct";
    const MemoryKind memory = memory_kind(plan);
    if (!is_host(memory)) return "pages of a worker's own lie in ordinary memory; use --memory host";
    if (!is_float32(memory)) return "pages of a worker's own hold floats; use --numbers float32";
    if (guard_traits(plan).orders)
        return fmt::format("guard {} holds coordinates that all workers share, as {} ones are not; use --guard none",
                           plan.guard, plan.hot.updates);
    if (!update_traits(plan).writes)
        return fmt::format("{} writes nothing that could be {}; use another --update", plan.update, plan.hot.updates);
    if (has_telemetry(plan))
        return fmt::format("telemetry is of increments that are written as they come, not {}; use --telemetry off",
                           plan.hot.updates);
    if (plan.hot.count == 0)
        return fmt::format("of 0 hot coordinates nothing is {}; use --hot 64, or --hot-updates direct",
                           plan.hot.updates);
    if (is_linear(plan.problem) && !placement_traits(plan.placement).leads_with_hot())
        return "hot coordinates are those that come first; use --placement hot-first or hottest";
    if (!hot.thins) return "";
    if (plan.exchange.period == 0 || plan.exchange.period > Thinning::kMostPeriod)
        return fmt::format("of increments that are thinned one in 1 to {} is written; use --exchange 4",
                           Thinning::kMostPeriod);
    if (plan.delay > 0) return "thinned steps have no form that is delayed; use --delay 0";
    if (has_rule(plan)) return "thinned steps know no rule for stale ones; use --staleness-rule none";
    return "";
}

bool owns_hot(const Plan& plan) { return hot_traits(plan).collects || hot_traits(plan).replicates; }

std::uint32_t hot_coordinates(const Plan& plan, std::uint32_t coordinates) {
    constexpr std::uint64_t kLine = 16;
    if (!hot_traits(plan).elsewhere) return 0;
    const std::uint64_t unit = is_linear(plan.problem) ? kLine : page_size() / sizeof(float);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>((plan.hot.count + unit - 1) / unit * unit, coordinates));
}

} // namespace hogwild
