// Whether a best step is known to be one: the next smaller and the next larger one were tried and are slower.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/tune/finals.h"
#include "experiments/tune/halving.h"

#include <cstddef>
#include <vector>

namespace hogwild {

struct Plan; // engine/plan/plan.h

enum class StepSides {
    kTried,   // those that there are had runs as long as the best one once took, or are in the finals
    kUntried, // one had not
    kEdge,    // they had, but the best one is the last of a list that was not given, but searched
};

/// The plans that differ from plans[arm] in a step size alone, which lies next to its own: two at most.
std::vector<std::size_t> beside(const std::vector<Plan>& plans, std::size_t arm);

/// `steps`: those beside `arm`. `searched`: the list was not given.
StepSides step_sides(const Race& race, const std::vector<Contender>& finalists, std::size_t arm,
                     const std::vector<std::size_t>& steps, bool searched);

} // namespace hogwild
