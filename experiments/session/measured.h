// From a run's outcome to its row: what its targets cost, what both devices shared.
//
// Thread-safe: pure functions.
#pragma once

#include "experiments/folder/manifest.h"
#include "experiments/targets/objectives.h"

#include <string>

namespace hogwild {

struct Result; // experiments/folder/result.h

/// `run` names the run's folder. The outcome's weights are dropped.
Result measured(std::string run, const Plan& plan, Outcome outcome, const Objective& objective, const Origin& origin);

/// Safe in file names, and tells most runs apart: "hogwild-racy-t4-s1".
std::string short_name(const Plan& plan);

} // namespace hogwild
