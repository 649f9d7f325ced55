// The samples that a command line names.
//
// The data may bring samples for a test (own_test of engine/data/load.h); these are held out. Else a share of the
// samples that there are is (engine/data/split.h).
//
// Errors: those of engine/data/load.h and split.h.
#pragma once

#include "engine/data/columns/narrow.h"
#include "engine/data/dataset.h"
#include "engine/data/load.h"
#include "experiments/options/options.h"

#include <optional>
#include <string>

namespace hogwild {

struct Inputs {
    Dataset train;
    std::optional<Dataset> test;
    LoadReport train_report, test_report;
    FileColumns columns{}; // of samples that are narrowed to those that occur
};

/// `--test` as it is meant: where nothing is said, what the problem holds out; empty: no test. The problems are known.
std::string usual_test(const RunOptions& options);

/// Narrowed (engine/data/columns/narrow.h).
Inputs load_inputs(const RunOptions& options);

/// "columns: 12 of 100,000,000 occur ..." of narrowed samples; empty of others.
std::string columns_line(const Inputs& inputs);

} // namespace hogwild
