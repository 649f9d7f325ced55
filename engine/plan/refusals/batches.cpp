// What goes against numbers of workers and batches of their steps.
#include "engine/plan/plan.h"
#include "engine/plan/refusals/refusals.h"

#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/name_places.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kMostBatched = 1024;

} // namespace

std::string why_not_two_batches(const Plan& plan) {
    if (plan.batch.gpu == 0 && !adapts(plan)) return "";
    const char* const as_it_is = "use --gpu-batch 0 and --batch-rule fixed";
    if (!problem_traits(plan).takes_batches)
        return fmt::format("steps of {} take single samples on either device; {}", plan.problem, as_it_is);
    if (!has_two_batches(plan))
        return fmt::format("one device's batch is --batch; {}, or --scheme hogwild --device both", as_it_is);
    if (adapts(plan) && plan.batch.most < plan.batch.size)
        return fmt::format("--batch-most {} is below --batch {}, the least; use {} or more", plan.batch.most,
                           plan.batch.size, plan.batch.size);
    const std::uint32_t first = first_gpu_batch(plan), times = first / plan.batch.size;
    if (first % plan.batch.size != 0 || !std::has_single_bit(times)) {
        const std::uint32_t below = plan.batch.size * std::bit_floor(std::max(times, 1u));
        return fmt::format("--gpu-batch {} is not --batch {} doubled some times; use {} or {}", first, plan.batch.size,
                           below, 2 * below);
    }
    if (first > most_gpu_batch(plan))
        return fmt::format("--gpu-batch {} is above {}, the largest within --batch-most {}; use that or less", first,
                           most_gpu_batch(plan), plan.batch.most);
    return "";
}

std::string why_not_workers(const Plan& plan) {
    const SchemeTraits& scheme = scheme_traits(plan);
    if (scheme.backups && plan.backup >= plan.threads) {
        return fmt::format("of {} worker{} {} would be backups, and a step waits for one at least; use --backup {}",
                           plan.threads, plan.threads == 1 ? "" : "s", plan.backup, plan.threads - 1);
    }
    if (scheme.writers == Writers::kOne && plan.threads != 1) return plan.scheme + " has one worker";
    if (scheme.exchanges() && !is_linear(plan.problem) && !problem_traits(plan).takes_network)
        return fmt::format("{} exchanges whole models often, and of {} a step touches next to none; use {}",
                           plan.scheme, plan.problem, with_names("{averaged_replicas} or {all_updates}"));
    if (problem_traits(plan).takes_batches) {
        if (scheme.is_conflict_free())
            return "every step of " + plan.problem + " touches every weight, so none goes beside another";
        if (scheme.writers == Writers::kTurns && plan.batch.size != 1)
            return plan.scheme + " takes turns sample by sample; use --batch 1";
        if (std::max(most_cpu_batch(plan), most_gpu_batch(plan)) > kMostBatched) {
            const char* const option = plan.batch.size > kMostBatched ? "--batch"
                                       : adapts(plan)                 ? "--batch-most"
                                                                      : "--gpu-batch";
            return fmt::format("a step takes at most {0} samples; use {1} {0} or less", kMostBatched, option);
        }
    }
    return "";
}

} // namespace hogwild
