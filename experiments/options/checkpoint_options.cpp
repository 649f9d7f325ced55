// hogwild run: --checkpoint and --resume.
#include "engine/error.h"
#include "experiments/options/command_line.h"
#include "experiments/options/duration.h"
#include "experiments/options/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

void add_checkpoint_options(CommandLine& app, RunOptions& options) {
    app.on_option(
           "--checkpoint",
           [&](const std::vector<std::string>& words) {
               constexpr std::string_view kEvery = "every ";
               const std::string text = fmt::format("{}", fmt::join(words, " ")); // one word, if it was quoted
               if (!text.starts_with(kEvery)) {
                   throw Error(Failure::kUsage, "--checkpoint cannot be '" + text + "'",
                               "it says how often the run is made safe", "write --checkpoint every 30s");
               }
               options.checkpoint = seconds_of("--checkpoint every", text.substr(kEvery.size()));
           },
           "Write what was observed of a single run to DIR/checkpoint, so often, at most as often as --observe says; "
           "CPU workers, no telemetry")
        .words(1, 2)
        .shown_as("every TIME")
        .in("Output");
    app.flag("--resume", options.resume,
             "Go on with the run from -o DIR's checkpoint, or begin where there is none; takes the same command "
             "(without --checkpoint: every 30s)")
        .in("Output");
}

} // namespace hogwild
