#include "experiments/scripts/plots.h"

#include "experiments/scripts/scripts.h"
#include "experiments/text/exit_code.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace hogwild {
namespace {

const Script kPlot{"plot/plot.py", {"matplotlib", "numpy"}};
const Script kReport{"report/report.py", {"matplotlib", "numpy"}};

std::vector<std::filesystem::path> images(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const auto extension = entry->path().extension();
        if (extension == ".png" || extension == ".svg") found.push_back(entry->path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace

std::filesystem::path plot_script() { return path_of(kPlot); }

std::string plot_command(const std::filesystem::path& results) { return shell_line(kPlot, {results.string()}); }

Plots draw_plots(const std::filesystem::path& results) {
    const auto script = plot_script();
    if (script.empty()) return {{}, known_as(kPlot) + " was not found"};
    const std::string& python = python_of(kPlot);
    if (python.empty())
        return {{}, no_python(kPlot) + "; " + python_remedy(package_of(kPlot) + " is Debian's package")};
    const int code = call({python, script.string(), results.string()}, Output::kDropped);
    if (code != kExitDone) return {{}, script.string() + " failed with exit code " + std::to_string(code)};
    return {images(results), ""};
}

int write_report(const std::filesystem::path& results, const std::string& size) {
    return run_script(kReport, {"--size", size, "--", results.string()}, "report");
}

} // namespace hogwild
