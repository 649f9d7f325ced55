// The model that a plan means for its samples, and the kernels that step on it.
//
// The arrow: engine/run/ and engine/run.h may include everything of engine/; nothing of engine/ includes them.
// Thread-safety: pure functions.
#pragma once

#include "kernels/views/any_view.h"

#include <cstdint>
#include <string_view>

namespace hogwild {

struct Kernels;
struct Plan; // engine/plan/plan.h

/// Precondition: the problem is in the catalog.
const Kernels& kernels_named(std::string_view problem);

/// The samples with the plan's model: its coordinates, and what a step on them increments.
AnyView bound(const AnyView& samples, const Plan& plan);

/// How many weights the plan's model of these samples has: the coordinates of `bound`.
std::uint32_t coordinates(const AnyView& samples, const Plan& plan);

/// The same of a model that may have too many weights to be bound.
std::uint64_t weights_asked_for(const AnyView& samples, const Plan& plan);

} // namespace hogwild
