// Draws the results of a folder by the Python program of results/plot, if the machine has what that needs.
//
// Thread-safety: none; starts a child process and waits for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hogwild {

/// The drawing program: beside an installed `hogwild` (../share/hogwild/plot/plot.py), else that of the source tree it was
/// built from, else empty.
std::filesystem::path plot_script();

struct Plots {
    std::vector<std::filesystem::path> files; // drawn, sorted
    std::string why_not;                      // why nothing was drawn; empty when all went well
};

Plots draw_plots(const std::filesystem::path& results);

/// What a person would type to draw them, with the interpreter that draw_plots takes: "/usr/bin/python3 .../plot.py DIR".
std::string plot_command(const std::filesystem::path& results);

} // namespace hogwild
