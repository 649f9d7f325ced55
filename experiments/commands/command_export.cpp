#include "experiments/commands/command_export.h"
#include "experiments/folder/apart_from_results.h"
#include "experiments/options/command_line.h"

namespace hogwild {

void add_export_options(CommandLine& app, ExportOptions& options) {
    app.about("Write a result folder in the formats of other programs.\n"
              "Reads files alone: DIR/summary.csv, each run's manifest.json and trace.csv.");
    app.option("DIR", options.folder, "A folder that `hogwild run -o DIR` or a sweep wrote").required();
    app.option("--tensorboard", options.tensorboard, "Event files, a folder for each run").shown_as("OUT");
    app.option("--mlflow", options.mlflow, "A file store of MLflow, with one experiment").shown_as("OUT");
    app.flag("--overwrite", options.overwrite, "Replace an OUT that is an earlier export");
    app.footer(
        "Examples:\n"
        "  hogwild export hogwild-out/first --tensorboard tb     then: tensorboard --logdir tb\n"
        "  hogwild export hogwild-out/first --mlflow store       then: mlflow migrate-filestore --source store \\\n"
        "                                                              --target sqlite:///mlflow.db\n"
        "docs/reference/result-files.md says what becomes of each column. Exit codes: 0 done, 1 error, 2 usage, 69 "
        "something\n"
        "needed is missing, 74 disk.");
}

int export_command(const ExportOptions& options) {
    check_apart_from_results("--tensorboard", options.tensorboard, options.folder);
    check_apart_from_results("--mlflow", options.mlflow, options.folder);
    return write_export(options);
}

} // namespace hogwild
