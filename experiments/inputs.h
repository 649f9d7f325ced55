// The samples that a command line names.
//
// Errors: those of engine/data/load.h; Error (Failure::kUsage) for held-out samples of what is no generated problem.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/load.h"
#include "experiments/options.h"

#include <optional>

namespace hogwild {

struct Inputs {
    Dataset train;
    std::optional<Dataset> test;
    LoadReport train_report, test_report;
};

Inputs load_inputs(const RunOptions& options);

} // namespace hogwild
