// No guard, but steps are counted, and go by their staleness (kernels/steps/stale_steps.h). It is for samples beside
// whose steps a count is a cost, so that there is none of it without a rule.
#pragma once

#include "kernels/updates/guards/none.h"
#include "kernels/updates/guards/traits.h"

#include <string_view>

namespace hogwild {

struct Counted : NoGuard {
    static constexpr std::string_view name = "counted";
    static constexpr GuardTraits kTraits{.orders = false, .is_choice = false};
    static constexpr bool kCounts = true;

    using NoGuard::NoGuard;
};

} // namespace hogwild
