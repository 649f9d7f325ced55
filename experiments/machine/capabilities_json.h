// What a machine was measured to be able to do, as JSON: `measured` of `hogwild info --json`.
#pragma once

#include "engine/measure/measure.h"
#include "experiments/text/json_fwd.h"

namespace hogwild {

Json capabilities_json(const Capabilities& can);

} // namespace hogwild
