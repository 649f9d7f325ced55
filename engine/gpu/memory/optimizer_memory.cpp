#include "engine/gpu/memory/optimizer_memory.h"

#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"

namespace hogwild {

OptimizerMemory::OptimizerMemory(const Plan& plan, std::uint32_t coordinates, unsigned workers) {
    states_.kind = catalog::find<Optimizers>(plan.optimizer.name);
    const std::uint32_t arrays =
        with_optimizer(states_.kind, []<class Rule>(std::in_place_type_t<Rule>) { return Rule::kNumbers; });
    if (arrays == 0) return;
    const bool own = has_own_states(plan);
    const unsigned states = own ? workers : 1;
    states_.settings = {.beta1 = plan.optimizer.beta1, .beta2 = plan.optimizer.beta2, .sharers = own ? 1 : workers};
    states_.apart = (coordinates + 31) / 32 * 32;
    states_.state = own ? arrays * states_.apart : 0;
    numbers_ = zeros<float>(arrays * states_.apart * states);
    steps_ = zeros<unsigned long long>(states);
    states_.numbers = numbers_.data();
    states_.steps = steps_.data();
}

DeviceOptimizer OptimizerMemory::from(unsigned first) const {
    DeviceOptimizer states = states_;
    if (states.state == 0) return states;
    states.numbers += first * states.state;
    states.steps += first;
    return states;
}

} // namespace hogwild
