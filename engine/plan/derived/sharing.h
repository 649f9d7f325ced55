// What CPU threads and a GPU share in a run, and what this GPU cannot do, from its attributes.
//
// Thread-safety: pure functions. Source: CUDA C++ Programming Guide, unified memory and host-native atomics.
#pragma once

#include "engine/machine/gpus.h"

#include <string>

namespace hogwild {

struct Plan; // engine/plan/plan.h

struct Sharing {
    bool cells = false;  // CPU threads and streams increment the same cells
    bool atomic = false; // where they do: an atomic increment of either side is one for the other
};

Sharing sharing(const Plan& plan, const Gpu& gpu);

/// Why a plan that passed why_not(plan) cannot run on this GPU; else empty.
std::string why_not_on(const Gpu& gpu, const Plan& plan);

} // namespace hogwild
