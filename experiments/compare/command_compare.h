// hogwild compare: which of two folders' methods is faster, or which of one folder's is faster than its best serial code.
//
// Errors: Error, as compare.h and summary_rows.h say; disk when what is written cannot be.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hogwild {

class CommandLine;

struct CompareOptions {
    std::vector<std::string> folders;
    std::vector<std::string> metrics{"time-to-target"};
    std::optional<std::string> against;   // of one folder; nothing: serial code
    std::optional<double> fail_if_slower; // 0.05: by more than 5 %
    std::string output;                   // a folder for verdicts.csv
    std::string csv;                      // or a file of this name
    bool json = false;
};

void add_compare_options(CommandLine& app, CompareOptions& options);

int compare_command(const CompareOptions& options);

/// "5%" is 0.05. Errors: Error (Failure::kUsage).
double parse_percent(const std::string& option, const std::string& text);

} // namespace hogwild
