// hogwild tune, and hogwild run --scheme auto.
//
// They print results on standard output and notes on standard error. Errors: those of tune() and of run_command().
#pragma once

#include "experiments/tune/tune.h"

#include <string>
#include <vector>

namespace hogwild {

/// Seconds of runs where nothing is said: of `hogwild tune`, and of a run that tunes first.
inline constexpr double kTuneBudget = 60, kAutoBudget = 20;

void add_tune_options(CommandLine& app, TuneOptions& options);

/// The exit code; `options.typed` and `command` are of the whole command line.
int tune_command(const TuneOptions& options, const std::vector<std::string>& command);

/// Whether a run's scheme is `auto`. Errors: Error (Failure::kUsage) for what cannot go with it.
bool is_auto(const RunOptions& options);

/// Tunes on the run's samples, says what was found, and runs that. `typed`: typed_settings of the command line.
int auto_command(const RunOptions& options, const std::vector<Setting>& typed, const std::vector<std::string>& command);

} // namespace hogwild
