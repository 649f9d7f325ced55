// Comparisons as text for people: what is compared, one line each, and what a reader must know.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/compare/compare.h"

#include <string>

namespace hogwild {

/// `folder_a` and `folder_b` as they were named; the same for one folder and its baseline: ratios are then speed-ups.
std::string compare_report(const Compared& compared, const Metric& metric, const std::string& folder_a,
                           const std::string& folder_b);

} // namespace hogwild
