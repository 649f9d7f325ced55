#include "engine/plan/choices.h"

#include "engine/plan/plan.h"
#include "engine/plan/problem_traits.h"
#include "kernels/catalog.h"
#include "kernels/guards.h"

namespace hogwild {

const GuardTraits& guard_traits(const Plan& plan) { return guard_traits(std::string_view(plan.guard)); }

const UpdateTraits& update_traits(const Plan& plan) { return update_traits(std::string_view(plan.update)); }

MemoryKind memory_kind(const Plan& plan) { return memory_kind(plan.memory, plan.numbers, plan.rounding); }

std::string memory_name(const Plan& plan) { return name_of(memory_kind(plan)); }

void set_memory(Plan& plan, const MemoryKind& kind) {
    plan.memory = place_name(kind);
    plan.numbers = numbers_name(kind);
    plan.rounding = rounding_name(kind);
}

void set_memory(Plan& plan, std::string_view name) { set_memory(plan, parse_memory(name).value()); }

bool has_int8(const Plan& plan) {
    const MemoryKind memory = memory_kind(plan);
    return is_low_precision(memory) && storage_of(memory) == Storage::kInt8;
}

std::string_view steps_guard(const Plan& plan) {
    return has_rule(plan) && !problem_traits(plan).touches_all ? Counted::name : std::string_view(plan.guard);
}

const DeviceTraits& device_traits(const Plan& plan) { return choice_named(kDeviceTraits, plan.device); }
const HotUpdateTraits& hot_traits(const Plan& plan) { return choice_named(kHotUpdateTraits, plan.hot.updates); }
const StepTraits& step_traits(const Plan& plan) { return choice_named(kStepTraits, plan.step.kind); }
const CombineTraits& combine_traits(const Plan& plan) { return choice_named(kCombineTraits, plan.exchange.combine); }
const BatchRuleTraits& batch_rule_traits(const Plan& plan) { return choice_named(kBatchRuleTraits, plan.batch.rule); }
const StateTraits& state_traits(const Plan& plan) { return choice_named(kStateTraits, plan.optimizer.state); }
const OptimizerTraits& optimizer_traits(const Plan& plan) { return optimizer_traits(plan.optimizer.name); }
bool on_both(const Plan& plan) { return device_traits(plan).threads && device_traits(plan).gpu; }
bool has_telemetry(const Plan& plan) { return plan.telemetry != "off"; }
bool counts_all(const Plan& plan) { return plan.telemetry == "exact"; }
bool has_rule(const Plan& plan) { return plan.staleness.rule != "none"; }
bool reads_copy(const Plan& plan) { return plan.network.read == "copy"; }
bool wants_graphs(const Plan& plan) { return plan.gpu.steps == "graphs"; }
bool uses_tf32(const Plan& plan) { return plan.gpu.products == "tf32"; }
bool is_plain_sgd(const Plan& plan) { return plan.optimizer.name == "sgd"; }

} // namespace hogwild
