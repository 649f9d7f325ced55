// Settings that no column of summary.csv shows: said where runs that are compared differ in them.
//
// A run's manifest.json has its whole plan. Runs without a manifest, or without a value there, count for nothing.
// Thread-safe for different summaries. Errors: none; a manifest that cannot be read is none.
#pragma once

#include "experiments/folder/summary_rows.h"

#include <span>
#include <string>
#include <vector>

namespace hogwild {

/// A line for each such setting of which these runs have several values: "runs differ in --int8-range (0.25, 8), ...".
std::vector<std::string> unseen_settings(std::span<const Summary* const> summaries);

} // namespace hogwild
