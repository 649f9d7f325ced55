// What a run's folder holds: manifest.json and trace.csv. It holds staleness.csv where staleness was measured, for a
// network layer_staleness.csv too. It holds batches.csv where CPU threads and a GPU stepped by batches.
//
// Thread-safe for different folders. Errors: Error (Failure::kDisk).
#pragma once

#include "experiments/text/json_fwd.h"

#include <filesystem>

namespace hogwild {

struct Result; // experiments/folder/result.h

/// All are on disk when this returns; their names, once the folder is published.
void write_run_files(const std::filesystem::path& folder, const Result& result, const Json& manifest);

} // namespace hogwild
