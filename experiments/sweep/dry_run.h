// What a sweep would do: --dry-run.
//
// Loads the samples (steps are scaled to them), solves and runs nothing, writes nothing; a GPU need not be there.
// Errors: those of Spec, SweepInputs, and Journal.
#pragma once

#include "experiments/sweep/sweep.h"

namespace hogwild {

/// Writes to standard output each combination, its runs and how long each may take. It says which publication's numbers
/// no combination is about, and how many runs are done already in the folder. Returns the exit code.
int dry_run(const SweepOptions& options, const Spec& spec, const std::filesystem::path& folder);

} // namespace hogwild
