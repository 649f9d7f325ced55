// Old spellings of an axis's values (engine/plan/axis.h, `respelled`): they keep working, and are said.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/options/axes.h"

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

/// A line for each old spelling: "note: --memory host-int8 is --memory host --numbers int8".
std::vector<std::string> spelling_lines(const Axes& axes);

/// That line; empty where the value of the option (without dashes) is no old spelling.
std::string spelling_line(std::string_view option, std::string_view value);

/// Errors: Error (Failure::kUsage) where an old spelling says what another option says too.
void check_spellings(const Axes& axes);

} // namespace hogwild
