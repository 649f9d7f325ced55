// A whole sweep: dataset by dataset, the trials, then the final runs; and its files at the end.
//
// Thread-safety: one sweep of a process. Errors: those of Spec, SweepInputs and Runner.
#pragma once

#include "experiments/session/interrupt.h"
#include "experiments/sweep/runner.h"
#include "experiments/sweep/shard.h"
#include "experiments/sweep/spec/spec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hogwild {

struct SweepOptions {
    std::filesystem::path file;
    std::vector<std::string> changes;
    std::filesystem::path output; // empty: hogwild-out/<the file's name without its ending>
    bool dry_run = false;
    bool tune_only = false;
    bool smoke = false;
    bool report = true;
    std::string tensorboard; // a folder for event files of the final runs; empty: none
    Shard shard;
    RunnerOptions runner;
};

/// The same questions about next to no samples: it shows that everything works, and measures nothing.
void make_small(Spec& spec);

/// The exit code.
int sweep(const SweepOptions& options);

} // namespace hogwild
