// hogwild run: --checkpoint and --resume.
#include "engine/error.h"
#include "experiments/duration.h"
#include "experiments/options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace hogwild {

void add_checkpoint_options(CLI::App& app, RunOptions& options) {
    app.add_option_function<std::vector<std::string>>(
           "--checkpoint",
           [&](const std::vector<std::string>& words) {
               if (words[0] != "every") {
                   throw Error(Failure::kUsage, "--checkpoint cannot be '" + words[0] + "'",
                               "it says how often the run is made safe", "write --checkpoint every 30s");
               }
               options.checkpoint = seconds_of("--checkpoint every", words[1]);
           },
           "Write what was observed of a single run to DIR/checkpoint, so often, at most as often as --observe says; "
           "CPU workers, no telemetry")
        ->type_size(2)
        ->expected(1)
        ->type_name("every TIME")
        ->group("Output");
    app.add_flag("--resume", options.resume,
                 "Go on with the run from -o DIR's checkpoint, or begin where there is none; takes the same command "
                 "(without --checkpoint: every 30s)")
        ->group("Output");
}

} // namespace hogwild
