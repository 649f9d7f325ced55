#include "engine/plan/choices.h"

#include "kernels/catalog.h"
#include "kernels/guards.h"

namespace hogwild {

const GuardTraits& guard_traits(const Plan& plan) { return guard_traits(std::string_view(plan.guard)); }

const UpdateTraits& update_traits(const Plan& plan) { return update_traits(std::string_view(plan.update)); }

} // namespace hogwild
