// Settings that no column of summary.csv shows: where runs that are compared differ in them, they tell configurations apart.
//
// A run's manifest.json has its whole plan. Where runs have several values of such a setting, each row gets a cell of its own of
// that name, empty for a run whose manifest does not say. Elsewhere rows stay as they are.
// Thread-safe for different summaries. Errors: none; a manifest that cannot be read is none.
#pragma once

#include "experiments/folder/summary_rows.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// The names of these settings: "half_life".
const std::vector<std::string_view>& unseen_columns();

/// `summaries`: all whose runs are compared with each other. Returns a line for each such setting of which they have several values:
/// "runs differ in --int8-range (0.25, 8), ...".
std::vector<std::string> tell_settings_apart(std::span<Summary* const> summaries);

} // namespace hogwild
