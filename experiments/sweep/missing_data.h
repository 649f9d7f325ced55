// A sweep's data that are not here, where its file says `[data] missing = "leave-out"`: it goes on without them.
//
// Files are looked for where the loader would (experiments/inputs/data_folder.h); generated data are always here. A
// file that cannot be read is not missing: loading it is an error. What is found depends on the moment. Data that have
// come since are taken in when the sweep goes on, and those that have gone leave its tables.
// Thread-safe: touches only `spec`. Errors: Error (Failure::kMissing) where nothing is left to run on, with every name;
// those of data_path() for a name that no file can have.
#pragma once

#include "experiments/sweep/spec/spec.h"

namespace hogwild {

/// Fills spec.left_out, and adds to the file's text, for those who read it later, a line `# left out: NAME` each.
void leave_out_missing(Spec& spec);

} // namespace hogwild
