// choices.csv: what tuning chose for every combination, and how sure that is.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/sweep/tuner.h"

#include <string>
#include <vector>

namespace hogwild {

/// The axes' columns are those of summary.csv.
std::string choices_header();

/// A row for each combination on one dataset; `data`: its name.
std::string choices_lines(const std::vector<Combination>& combinations, const std::vector<Chosen>& chosen,
                          const std::string& data);

} // namespace hogwild
