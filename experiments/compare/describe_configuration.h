// A configuration in words: its scheme, and all that tells it from others that minimise the same on the same samples.
//
// Thread-safe: a pure function.
#pragma once

#include "experiments/folder/summary_rows.h"

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// "hogwild racy, 2 threads, decay step 0.5 x 0.9": what the axes' rows say of it (engine/plan/axis.h). Then what they
/// leave out and is not usual, by its column: "epochs 20". `said`: columns that the reader knows otherwise.
std::string describe_configuration(const SummaryRow& row, const std::vector<std::string_view>& said = {});

} // namespace hogwild
