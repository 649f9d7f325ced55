#include "engine/workers/optimizer_states.h"

#include "engine/plan/plan.h"
#include "engine/plan/scheme_traits.h"
#include "kernels/catalog.h"

#include <algorithm>

namespace hogwild {
namespace {

unsigned states(const Plan& plan) { return has_own_states(plan) ? plan.threads : 1; }

std::uint32_t numbers(std::size_t kind) {
    return with_optimizer(kind, []<class Rule>(std::in_place_type_t<Rule>) { return Rule::kNumbers; });
}

/// Floats from one array of a state to the next: whole cache lines.
std::uint64_t apart(std::uint64_t coordinates) { return (coordinates + 15) / 16 * 16; }

} // namespace

OptimizerStates::OptimizerStates(const Plan& plan, std::uint32_t coordinates) {
    const std::size_t kind = catalog::find<Optimizers>(plan.optimizer.name);
    if (numbers(kind) == 0) return;
    const unsigned count = states(plan);
    OptimizerSettings settings{.beta1 = plan.optimizer.beta1, .beta2 = plan.optimizer.beta2};
    if (count == 1 && !scheme_traits(plan).is_minibatch()) settings.sharers = plan.threads;
    steps_ = std::vector<PublishedCount>(count);
    for (unsigned s = 0; s < count; ++s) {
        const PageArray<float>& own = numbers_.emplace_back(numbers(kind) * apart(coordinates));
        std::ranges::fill(own.span(), 0.0f); // no page fault on the clock
        states_.push_back({kind, settings, own.data(), apart(coordinates), &steps_[s].value});
    }
}

const OptimizerState* OptimizerStates::of(unsigned worker) const {
    return states_.empty() ? nullptr : &states_[states_.size() == 1 ? 0 : worker];
}

std::uint64_t OptimizerStates::floats(const Plan& plan, std::uint64_t coordinates) {
    return numbers(catalog::find<Optimizers>(plan.optimizer.name)) * states(plan) * apart(coordinates);
}

} // namespace hogwild
