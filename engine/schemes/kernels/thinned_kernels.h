// Every compiled kernel of thinned steps (kernels/steps/thinned.h), by problem, update policy and instruction set.
#pragma once

#include "kernels/kernels.h"
#include "kernels/steps/thinned.h"

#include <string_view>

namespace hogwild {

using ThinnedSteps = void (*)(const SparseView&, const Chunk&, const Thinning&, WorkerContext&);

/// Precondition: the problem is a loss of the margin, and the update writes.
ThinnedSteps thinned_kernel(std::string_view problem, std::string_view update, InstructionSet set);

} // namespace hogwild
