// Draws the results of a folder and writes its report, by the Python programs of results/, if the machine has what they need.
//
// Thread-safety: none; starts a child process and waits for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {

/// The drawing program (experiments/scripts/scripts.h), else empty.
std::filesystem::path plot_script();

struct Plots {
    std::vector<std::filesystem::path> files; // drawn, sorted
    std::string why_not;                      // why nothing was drawn; empty when all went well
};

Plots draw_plots(const std::filesystem::path& results);

/// What a person would type to draw them, with the interpreter that draw_plots takes: "/usr/bin/python3 .../plot.py DIR".
std::string plot_command(const std::filesystem::path& results);

/// Writes results/report.html and its figures; `size`: column, page or slide. The child prints the report's path, and what is
/// wrong. Returns its exit code. Errors: Error (Failure::kMissing) without the program, without a Python that has matplotlib, or
/// when it died.
int write_report(const std::filesystem::path& results, const std::string& size);

} // namespace hogwild
