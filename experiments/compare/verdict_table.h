// verdicts.csv: comparisons as a table.
#pragma once

#include "experiments/folder/columns.h"

#include <string>
#include <vector>

namespace hogwild {

/// `rows`: as verdict_row makes them, one or more. Thread-safe: a pure function.
std::string verdicts_csv(const std::vector<std::vector<Column>>& rows);

/// Writes it into a folder of results without one, if these can carry it. It judges time to the target of every
/// configuration against the best serial code, where some have enough seeds to be judged (kFewestPairs). A folder of
/// `hogwild tune` is judged in its finals. Errors: Error (Failure::kDisk).
void write_verdicts(const std::string& folder);

} // namespace hogwild
