// What a machine was measured to be able to do, as JSON: `measured` of `hogwild info --json`.
#pragma once

#include "engine/machine/measure.h"
#include "experiments/json_fwd.h"

namespace hogwild {

Json capabilities_json(const Capabilities& can);

} // namespace hogwild
