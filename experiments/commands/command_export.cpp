#include "experiments/commands/command_export.h"

#include <CLI/CLI.hpp>

namespace hogwild {

void add_export_options(CLI::App& app, ExportOptions& options) {
    app.description("Write a result folder in the formats of other programs.\n"
                    "Reads files alone: DIR/summary.csv, each run's manifest.json and trace.csv.");
    app.add_option("DIR", options.folder, "A folder that `hogwild run -o DIR` or a sweep wrote")->required();
    app.add_option("--tensorboard", options.tensorboard, "Event files, a folder for each run")->type_name("OUT");
    app.add_option("--mlflow", options.mlflow, "A file store of MLflow, with one experiment")->type_name("OUT");
    app.add_flag("--overwrite", options.overwrite, "Replace an OUT that is an earlier export");
    app.footer(
        "Examples:\n"
        "  hogwild export hogwild-out/first --tensorboard tb     then: tensorboard --logdir tb\n"
        "  hogwild export hogwild-out/first --mlflow store       then: mlflow migrate-filestore --source store \\\n"
        "                                                              --target sqlite:///mlflow.db\n"
        "results/README.md says what becomes of each column. Exit codes: 0 done, 1 error, 2 usage, 69 something\n"
        "needed is missing, 74 disk.");
}

int export_command(const ExportOptions& options) { return write_export(options); }

} // namespace hogwild
