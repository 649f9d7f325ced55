// hogwild export: a result folder in the formats of other programs.
//
// Errors: Error; main turns it into a message and an exit code.
#pragma once

#include "experiments/scripts/exports.h"

namespace CLI {
class App;
}

namespace hogwild {

void add_export_options(CLI::App& app, ExportOptions& options);

int export_command(const ExportOptions& options);

} // namespace hogwild
