// What `hogwild data` says of labelled images.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/load.h"
#include "experiments/text/json_fwd.h"

#include <string>

namespace hogwild {

/// Precondition of both: the samples are images. `loading` says how they were loaded.
std::string images_text(const Dataset& data, const std::string& loading);
Json images_json(const Dataset& data, const LoadReport& report);

} // namespace hogwild
