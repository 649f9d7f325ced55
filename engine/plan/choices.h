// What the names of a plan's choices stand for: one row of properties a name (engine/plan/choice_rows.h). Nobody else compares with
// these names.
//
// Schemes (engine/plan/scheme_traits.h), memories (engine/memory/memory_kind.h), staleness rules (kernels/steps/staleness_rule.h),
// update policies and guards (kernels/updates), placements (engine/data/sparse/placement.h) have rows of their own. Names that are unknown have the properties of a table's first row: `validate` refuses them.
// Thread-safety: constants and pure functions.
#pragma once

#include "engine/memory/memory_kind.h"
#include "engine/plan/choice_rows.h"
#include "engine/plan/plan.h"
#include "kernels/updates/guards/traits.h"
#include "kernels/updates/traits.h"

#include <string>
#include <string_view>

namespace hogwild {

inline const DeviceTraits& device_traits(const Plan& plan) { return choice_named(kDeviceTraits, plan.device); }
inline const HotUpdateTraits& hot_traits(const Plan& plan) { return choice_named(kHotUpdateTraits, plan.hot.updates); }
inline const StepTraits& step_traits(const Plan& plan) { return choice_named(kStepTraits, plan.step.kind); }
inline const CombineTraits& combine_traits(const Plan& plan) {
    return choice_named(kCombineTraits, plan.exchange.combine);
}
inline const BatchRuleTraits& batch_rule_traits(const Plan& plan) {
    return choice_named(kBatchRuleTraits, plan.batch.rule);
}

inline const StateTraits& state_traits(const Plan& plan) { return choice_named(kStateTraits, plan.optimizer.state); }

/// What holds of the plan's guard and update policy, which say it themselves. Preconditions: their names are known.
const GuardTraits& guard_traits(const Plan& plan);
const UpdateTraits& update_traits(const Plan& plan);

/// What the plan's memory, numbers and rounding make together, and its name.
MemoryKind memory_kind(const Plan& plan);
std::string memory_name(const Plan& plan);

/// Sets all three, by a kind or its name. Precondition: a kind has the name.
void set_memory(Plan& plan, const MemoryKind& kind);
void set_memory(Plan& plan, std::string_view name);

/// Whether threads and a GPU step side by side.
inline bool on_both(const Plan& plan) { return device_traits(plan).threads && device_traits(plan).gpu; }

/// Whether anything is counted, and whether every increment is.
inline bool has_telemetry(const Plan& plan) { return plan.telemetry != "off"; }
inline bool counts_all(const Plan& plan) { return plan.telemetry == "exact"; }

/// Whether stale steps are taken otherwise than fresh ones.
inline bool has_rule(const Plan& plan) { return plan.staleness.rule != "none"; }

/// Whether a network's steps are on a copy of its weights.
inline bool reads_copy(const Plan& plan) { return plan.network.read == "copy"; }

/// Whether GPU workers are asked to replay graphs of a network's step, and to multiply in tf32.
inline bool wants_graphs(const Plan& plan) { return plan.gpu.steps == "graphs"; }
inline bool uses_tf32(const Plan& plan) { return plan.gpu.products == "tf32"; }

/// Whether a network's steps are gradients times a step size, and nothing else.
inline bool is_plain_sgd(const Plan& plan) { return plan.optimizer.name == "sgd"; }

} // namespace hogwild
