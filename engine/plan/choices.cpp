#include "engine/plan/choices.h"

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

} // namespace hogwild
