// What goes against a plan whatever its samples are (engine/plan/plan.h): the first refusal of a list.
#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"
#include "engine/plan/refusals/refusals.h"

namespace hogwild {
namespace {

std::string why_not_memory(const Plan& plan) { return why_no_memory(memory_kind(plan)); }

/// In this order: what stands later takes for granted what stands before.
constexpr std::string (*kRefusals[])(const Plan&) = {
    why_not_memory,  why_not_floats,      why_not_optimizer, why_not_network,   why_not_hot_updates,
    why_not_device,  why_not_smooth,      why_not_short,     why_not_clusters,  why_not_delay,
    why_not_workers, why_not_two_batches, why_not_guard,     why_not_stale,     why_not_layers,
    why_not_graphs,  why_not_counted,     why_not_shrinkage, why_not_telemetry,
};

} // namespace

std::string why_not(const Plan& plan) {
    for (const auto refusal : kRefusals) {
        if (std::string reason = refusal(plan); !reason.empty()) return reason;
    }
    return "";
}

} // namespace hogwild
