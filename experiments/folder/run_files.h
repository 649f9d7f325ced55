// What a run's folder holds: manifest.json, trace.csv and, where staleness was measured, staleness.csv, of a network
// layer_staleness.csv too; where CPU threads and a GPU stepped by batches, batches.csv.
//
// Thread-safe for different folders. Errors: Error (Failure::kDisk).
#pragma once

#include "experiments/folder/result.h"
#include "experiments/text/json_fwd.h"

#include <filesystem>

namespace hogwild {

/// All are on disk when this returns; their names, once the folder is published.
void write_run_files(const std::filesystem::path& folder, const Result& result, const Json& manifest);

} // namespace hogwild
