// An outcome as JSON and back, for a run that another process makes. The weights go another way
// (experiments/session/shared_weights.h). Numbers that are not finite are
// words.
//
// Thread-safety: pure functions. Errors: outcome_of throws nlohmann's exceptions for a text that is no outcome.
#pragma once

#include "engine/record/outcome.h"
#include "experiments/text/json_fwd.h"

namespace hogwild {

Json outcome_json(const Outcome& outcome);
Outcome outcome_of(const Json& json);

} // namespace hogwild
