// Loads labelled images: files (engine/data/images/images.h) or generated ones (engine/data/synthetic/synthetic_images.h).
//
// Errors: throws Error. Thread-safety: as of load.h.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/load.h"
#include "engine/data/text/text_source.h"

#include <string>

namespace hogwild {

/// With options.train the test set that belongs to it.
Dataset load_images(const std::string& name, const LoadOptions& options, const TextLimits& limits, LoadReport& report);

} // namespace hogwild
