// hogwild report DIR: one page of a result folder, with every figure and table.
#include "experiments/commands/commands.h"

#include "experiments/compare/speedup_table.h"
#include "experiments/compare/verdict_table.h"
#include "experiments/options/command_line.h"
#include "experiments/scripts/plots.h"

namespace hogwild {

void add_report_options(CommandLine& app, ReportOptions& options) {
    app.about(
        "Write DIR/report.html, one file for a browser without a network, and DIR/figures/*.{png,svg,pdf}.\n"
        "Where runs had a target also, of time to it against the best serial code, DIR/verdicts.csv, unless there is "
        "one, of\n"
        "runs with three seeds or more, and DIR/speedup.csv of several numbers of workers.\n"
        "Reads files alone: DIR/summary.csv, each run's manifest.json and trace.csv.");
    app.option("DIR", options.folder, "A folder that `hogwild run -o DIR` or a sweep wrote").required();
    app.option("--size", options.size, "Of the figures: column (3.5 in wide), page (7.2), slide (13.3 x 7.5)")
        .one_of({"column", "page", "slide"})
        .shows_default();
    app.footer("Example:\n  hogwild report hogwild-out/first\n"
               "Exit codes: 0 done, 1 error, 2 usage, 69 something needed is missing, 74 disk.");
}

int report_command(const ReportOptions& options) {
    write_verdicts(options.folder);
    write_speedup(options.folder);
    return write_report(options.folder, options.size);
}

} // namespace hogwild
