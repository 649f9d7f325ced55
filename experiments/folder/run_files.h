// What a run's folder holds: manifest.json and trace.csv. It holds staleness.csv where staleness was measured, for a
// network layer_staleness.csv too. It holds batches.csv where CPU threads and a GPU stepped by batches.
//
// Thread-safe for different folders. Errors: Error (Failure::kDisk).
#pragma once

#include "experiments/text/json_fwd.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace hogwild {

struct Result;     // experiments/folder/result.h
struct SummaryRow; // experiments/folder/summary_rows.h

/// Whether a run may have a folder of that name: nothing that leads out of the results' folder, and no control characters.
bool is_run_folder(std::string_view name);

/// All are on disk when this returns; their names, once the folder is published.
void write_run_files(const std::filesystem::path& folder, const Result& result, const Json& manifest);

/// What a folder lacks of a run that has ended, whose row this is: "trace.csv is missing", "trace.csv is empty". Nothing: it is whole.
/// Files that few runs have, and whose absence no column shows, are looked at only where they lie.
std::string lacks_of_run(const std::filesystem::path& folder, const SummaryRow& row);

} // namespace hogwild
