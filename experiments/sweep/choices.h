// choices.csv: what tuning chose for every combination, and how sure that is.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/sweep/tuner.h"

#include <string>
#include <vector>

namespace hogwild {

/// With its header.
std::string choices_text(const std::vector<Combination>& combinations, const std::vector<Chosen>& chosen);

} // namespace hogwild
