// hogwild export: a result folder in the formats of other programs.
//
// Errors: Error; main turns it into a message and an exit code.
#pragma once

#include "experiments/scripts/exports.h"

namespace hogwild {

class CommandLine;

void add_export_options(CommandLine& app, ExportOptions& options);

int export_command(const ExportOptions& options);

} // namespace hogwild
