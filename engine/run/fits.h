// Whether a plan can run on its samples, here and now.
//
// What goes against a plan whatever its samples are says engine/plan/refusals/refusals.h. The arrow: engine/run/samples_with_model.h.
// Thread-safety: pure functions, but for the memory that is free when they are asked.
#pragma once

#include "engine/run.h"

#include <cstdint>

namespace hogwild {

/// How many weights publish copies for steps that touch few of them.
inline constexpr std::uint32_t kMostPublished = 1u << 16;

/// Throws Error for a run that cannot be. That is an invalid plan (Failure::kUsage), a plan that does not fit, samples
/// that no run takes, or a part of another run.
void check(const Plan& plan, const RunInputs& inputs);

} // namespace hogwild
