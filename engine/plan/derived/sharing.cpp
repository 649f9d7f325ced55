#include "engine/plan/derived/sharing.h"

#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/plan.h"

#include <fmt/format.h>

namespace hogwild {

Sharing sharing(const Plan& plan, const Gpu& gpu) {
    const MemoryKind memory = memory_kind(plan);
    if (!on_both(plan) || !is_one_buffer(memory)) return {};
    // A page of managed memory is on one side at a time, or the link is asked for what both sides call atomic.
    return {true, is_managed(memory) ? gpu.concurrent_managed_access : gpu.host_native_atomics};
}

std::string why_not_on(const Gpu& gpu, const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    if (is_managed(memory) && !gpu.concurrent_managed_access) {
        if (on_both(plan)) return "CPU threads may not touch managed memory while this GPU works";
        if (memory != MemoryKind::kManaged) return "this GPU cannot be told where pages of managed memory shall lie";
    }
    const std::uint64_t copies = 2 * sizeof(float) * std::uint64_t{plan.hot.count};
    if (gpu_workers(plan) > 0 && copies > gpu.shared_bytes) {
        return fmt::format("a block's memory on this GPU holds copies of up to {} coordinates",
                           gpu.shared_bytes / (2 * sizeof(float)));
    }
    return {};
}

} // namespace hogwild
