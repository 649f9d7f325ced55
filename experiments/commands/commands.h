// The commands of the program, each from its options to its exit code. They print results on standard output and notes on
// standard error. Errors: Error; main turns it into a message and an exit code.
#pragma once

#include "experiments/options/options.h"

#include <string>
#include <vector>

namespace hogwild {

struct SweepOptions; // experiments/sweep/sweep.h

/// `command` is the whole command line, for the manifests.
int run_command(const RunOptions& options, const std::vector<std::string>& command);

void add_sweep_options(CommandLine& app, SweepOptions& options);
int sweep_command(const SweepOptions& options);

int describe_command(const DataCommandOptions& options);
int check_command(const DataCommandOptions& options);
int convert_command(const DataCommandOptions& options);
int info_command(const InfoOptions& options);

struct SchemaOptions {
    bool markdown = false;
};
void add_schema_options(CommandLine& app, SchemaOptions& options);
int schema_command(const SchemaOptions& options);

int report_command(const ReportOptions& options);

/// The whole program: parses, runs one command, reports errors. Never throws.
int hogwild_main(int argc, char** argv);

} // namespace hogwild
