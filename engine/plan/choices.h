// What the names of a plan's choices stand for: one row of properties a name (engine/plan/choice_rows.h, unknown names too).
// Nobody else compares with these names.
//
// Schemes (engine/plan/scheme_traits.h), memories (engine/memory/memory_kind.h), staleness rules (kernels/steps/staleness_rule.h),
// update policies and guards (kernels/updates), placements (engine/data/sparse/placement.h) have their own.
// Thread-safety: constants and pure functions.
#pragma once

#include "engine/memory/memory_kind.h"
#include "engine/plan/choice_rows.h"
#include "engine/plan/optimizer_traits.h"
#include "kernels/updates/guards/traits.h"
#include "kernels/updates/traits.h"

#include <string>
#include <string_view>

namespace hogwild {

struct Plan; // engine/plan/plan.h

const DeviceTraits& device_traits(const Plan& plan);
const HotUpdateTraits& hot_traits(const Plan& plan);
const StepTraits& step_traits(const Plan& plan);
const CombineTraits& combine_traits(const Plan& plan);
const BatchRuleTraits& batch_rule_traits(const Plan& plan);

const StateTraits& state_traits(const Plan& plan);
const OptimizerTraits& optimizer_traits(const Plan& plan);

/// What holds of the plan's guard and update policy, which say it themselves.
const GuardTraits& guard_traits(const Plan& plan);
const UpdateTraits& update_traits(const Plan& plan);

/// What the plan's memory, numbers and rounding make together, and its name.
MemoryKind memory_kind(const Plan& plan);
std::string memory_name(const Plan& plan);

/// Sets all three, by a kind or its name. Precondition: a kind has the name.
void set_memory(Plan& plan, const MemoryKind& kind);
void set_memory(Plan& plan, std::string_view name);

/// Whether its parameters are of 8 bits, with a range.
bool has_int8(const Plan& plan);

/// Whether threads and a GPU step side by side.
bool on_both(const Plan& plan);

/// Whether anything is counted, and whether every increment is.
bool has_telemetry(const Plan& plan);
bool counts_all(const Plan& plan);

/// Whether stale steps are taken otherwise than fresh ones.
bool has_rule(const Plan& plan);

/// The guard of a plan's kernels under hogwild: its own, or the one that counts steps for a staleness rule.
std::string_view steps_guard(const Plan& plan);

/// Whether a network's steps are on a copy of its weights.
bool reads_copy(const Plan& plan);

/// Whether GPU workers are asked to replay graphs of a network's step, and to multiply in tf32.
bool wants_graphs(const Plan& plan);
bool uses_tf32(const Plan& plan);

/// Whether a network's steps are gradients times a step size, and nothing else.
bool is_plain_sgd(const Plan& plan);

} // namespace hogwild
