// The samples that a command line names.
//
// The data may bring samples for a test (own_test of engine/data/load.h); these are held out. Else a share of the
// samples that there are is (engine/data/split.h).
//
// Errors: those of engine/data/load.h and split.h.
#pragma once

#include "engine/data/dataset.h"
#include "engine/data/load.h"
#include "experiments/options/options.h"

#include <optional>

namespace hogwild {

struct Inputs {
    Dataset train;
    std::optional<Dataset> test;
    LoadReport train_report, test_report;
};

/// `--test` as it is meant: where nothing is said, what the problem holds out; empty: no test. The problems are known.
std::string usual_test(const RunOptions& options);

Inputs load_inputs(const RunOptions& options);

} // namespace hogwild
