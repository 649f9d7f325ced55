#include "engine/run/going_on.h"

#include "engine/memory/memory_kind.h"
#include "engine/plan/choices.h"
#include "engine/plan/derived/workers.h"
#include "engine/plan/hot_updates.h"
#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"

#include <string_view>

#include <fmt/format.h>

namespace hogwild {

std::string why_not_go_on(const Plan& plan) {
    if (device_traits(plan).gpu) return "a GPU's copies are looked at when the run has ended";
    if (!is_host(memory_kind(plan))) return "memory that a GPU shares is another process's";
    if (has_telemetry(plan)) return "--telemetry counts what one process saw";
    if (owns_hot(plan) && (plan.threads > 1 || hot_traits(plan).collects))
        return "what workers keep of hot coordinates is in no snapshot";
    const SchemeTraits& scheme = scheme_traits(plan);
    if (const std::string_view lacks = scheme.lacks == nullptr ? "" : scheme.lacks(plan); !lacks.empty())
        return fmt::format(fmt::runtime(lacks), plan.scheme);
    if (!is_plain_sgd(plan)) return "the state of --optimizer " + plan.optimizer.name + " is in no snapshot";
    return "";
}

std::uint64_t unsure_samples(const Plan& plan, std::uint64_t rows, const Snapshot& snapshot) {
    const UnsureSamples unsure = scheme_traits(plan).unsure;
    return unsure == nullptr || cpu_workers(plan) == 1 ? 0 : unsure(plan, rows, snapshot);
}

} // namespace hogwild
