// The options of `hogwild run` that are axes of an experiment (experiments/options/axes.h), and the single values beside them.
//
// Errors: Error (Failure::kUsage) that names the option, the value and what is possible.
#pragma once

#include "experiments/options/axes.h"
namespace hogwild {

class CommandLine;

/// `axes` outlives the parse.
void add_axis_options(CommandLine& app, Axes& axes);

} // namespace hogwild
