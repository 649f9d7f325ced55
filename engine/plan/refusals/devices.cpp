// What goes against a device, its memory, and how a GPU steps.
#include "engine/plan/plan.h"
#include "engine/plan/refusals/refusals.h"

#include "engine/data/sparse/placement.h"
#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/problem_traits.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr std::uint32_t kMostHot = 28'000; // 2 floats each of the 227 KiB that a block may have

/// What goes against replicas that a GPU's teams step on.
std::string why_not_team_replicas(const Plan& plan) {
    if (!scheme_traits(plan).exchanges() || !device_traits(plan).gpu) return "";
    if (!problem_traits(plan).takes_network)
        return fmt::format("a GPU's workers have replicas of networks, not of what {} steps on; use --device cpu",
                           plan.problem);
    if (on_both(plan))
        return "replicas of threads and of a GPU's teams have no shared model in common; use --device cpu or gpu";
    if (memory_kind(plan) != MemoryKind::kDevice)
        return fmt::format("a GPU's replicas exchange with weights in its own memory, not in {}; use --memory device",
                           memory_name(plan));
    return "";
}

/// What goes against copies of hot coordinates that a GPU's blocks have.
std::string why_not_hot_copies(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    if (plan.hot.count > 0 && is_device(memory) && !is_float32(memory))
        return fmt::format(
            "copies of hot coordinates exchange with parameters of 32 bits, not in {}; use --numbers float32",
            name_of(memory));
    if (plan.hot.count > 0 && is_linear(plan.problem) && !placement_traits(plan.placement).knows_hot())
        return "copies of the hottest coordinates need --placement hot-first, hot-apart or hottest";
    if (plan.hot.count > 0 && !update_traits(plan).adds())
        return "copies of hot coordinates are added to atomically, so they go with --update atomic; use --hot 0";
    if (plan.hot.count > 0 && counts_all(plan))
        return "the lost-update meter would count what copies of hot coordinates never lose; use --hot 0";
    if (plan.hot.count > kMostHot)
        return fmt::format("a block's memory holds copies of up to {} coordinates", kMostHot);
    return "";
}

} // namespace

std::string why_not_device(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    const bool cpu = device_traits(plan).threads, gpu = device_traits(plan).gpu;
    const OnGpu does = scheme_traits(plan).on_gpu;
    if (const std::string reason = why_not_team_replicas(plan); !reason.empty()) return reason;
    if (cpu && gpu && does != OnGpu::kStreams) return plan.scheme + " runs on one device";
    if (gpu && does == OnGpu::kNothing) return plan.scheme + " runs on CPU threads";
    if (gpu && does == OnGpu::kBatches && memory != MemoryKind::kDevice)
        return plan.scheme + " on a GPU takes device memory";
    if (cpu && !host_reaches(memory)) return fmt::format("CPU threads cannot reach {} memory", name_of(memory));
    if (gpu && !problem_traits(plan).runs_on_gpu) return plan.problem + " has no GPU form";
    if (is_device(memory) && !is_float32(memory) && !problem_traits(plan).has_halves)
        return plan.problem + " has no form for parameters of 16 bits";
    if (plan.hot.count > 0 && !owns_hot(plan) &&
        !(is_linear(plan.problem) || (gpu && problem_traits(plan).has_hot_copies)))
        return "only hot coordinates of sparse rows are copied, and on a GPU of ratings; use --hot 0";
    if (!is_linear(plan.problem) && placement_traits(plan.placement).moves)
        return "only coordinates of sparse rows are placed";
    if (gpu && !device_reaches(memory)) return fmt::format("a GPU cannot reach {} memory", name_of(memory));
    if (!gpu && is_replica(memory)) return "a replica is a copy for a GPU, and no GPU steps";
    if (!gpu) return "";
    if (guard_traits(plan).orders) return "guards are among CPU threads; use --guard none";
    if (update_traits(plan).drops) return plan.update + " has no GPU form; use atomic or racy";
    return why_not_hot_copies(plan);
}

std::string why_not_graphs(const Plan& plan) {
    if (!wants_graphs(plan)) {
        return uses_tf32(plan) ? fmt::format("teams multiply in float32; use --gpu-steps graphs for {}, or "
                                             "--products float32",
                                             plan.gpu.products)
                               : "";
    }
    if (!steps_by_graphs(plan))
        return "graphs are a choice of hogwild's GPU workers on networks; use --gpu-steps teams";
    if (plan.batch.gpu > 0 || adapts(plan))
        return "a graph is captured for steps of --batch images; use --gpu-batch 0 and --batch-rule fixed, or "
               "--gpu-steps "
               "teams";
    if (!reads_copy(plan))
        return "cuBLAS reads a copy of the weights, never those that others write; use --read copy or --gpu-steps "
               "teams";
    if (has_rule(plan))
        return "a graph's step is counted once it has written, too late for a rule; use --staleness-rule none or "
               "--gpu-steps teams";
    return "";
}

} // namespace hogwild
