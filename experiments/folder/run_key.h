// What tells runs apart, wherever the result of one is looked for: in a sweep's journal, in the folder that --resume names.
//
// Two runs of one key minimise the same function by the same steps. They are scored on the same samples, and have the
// same target. Thread-safe: pure functions.
#pragma once

#include "engine/data/dataset.h"
#include "experiments/options/target_option.h"

#include <optional>
#include <string>

namespace hogwild {

struct Plan;

/// What was asked of runs besides their plans: the target as it is typed, and whether F* is solved for.
std::string asked_text(const std::optional<TargetOption>& target, bool optimum);

/// 16 hexadecimal digits: XXH3 of the plan's hash, of both sets of samples' hashes, and of what was asked. `test`: may be null.
std::string run_key(const Plan& plan, const Dataset& train, const Dataset* test, const std::string& asked);

} // namespace hogwild
