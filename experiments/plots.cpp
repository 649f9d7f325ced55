#include "experiments/plots.h"

#include "engine/error.h"
#include "experiments/exit_code.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hogwild {
namespace {

constexpr const char* kPlot = "plot/plot.py";
constexpr const char* kReport = "report/report.py";
constexpr const char* kNoPython = "no python3 with matplotlib was found";

enum class Output { kDropped, kShown };

/// Exit code of `program arguments...`; -1 if it did not start or died.
int call(std::vector<std::string> words, Output output = Output::kDropped) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output == Output::kDropped) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The first Python that has what figures need: a system's packages are seen only by the system's interpreter, which need
/// not come first in PATH. Empty: none has.
const std::string& python() {
    static const std::string found = [] {
        for (const char* candidate : {"python3", "/usr/bin/python3"}) {
            if (call({candidate, "-c",
                      "from importlib.util import find_spec as find; import sys; "
                      "sys.exit(find('matplotlib') is None or find('numpy') is None)"}) == 0) {
                return candidate;
            }
        }
        return "";
    }();
    return found;
}

/// As a shell reads it back.
std::string shell_word(const std::string& text) {
    const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("/._-+:,@%", c) != nullptr; };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

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

/// A program of results/: of an installation, else of the source tree; empty without either.
std::filesystem::path script(const char* name) {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const auto installed = program.parent_path().parent_path() / "share" / "hogwild" / name;
        if (std::filesystem::exists(installed, error)) return installed;
    }
#ifdef HOGWILD_RESULTS_FOLDER
    const auto source = std::filesystem::path(HOGWILD_RESULTS_FOLDER) / name;
    if (std::filesystem::exists(source, error)) return source;
#endif
    return {};
}

/// As a reader of the sources knows it.
std::string known_as(const char* name) { return std::string("results/") + name; }

} // namespace

std::filesystem::path plot_script() { return script(kPlot); }

std::string plot_command(const std::filesystem::path& results) {
    const auto script = plot_script();
    return (python().empty() ? "python3" : python()) + " " +
           shell_word(script.empty() ? known_as(kPlot) : script.string()) + " " + shell_word(results.string());
}

Plots draw_plots(const std::filesystem::path& results) {
    const auto script = plot_script();
    if (script.empty()) return {{}, known_as(kPlot) + " was not found"};
    if (python().empty()) return {{}, std::string(kNoPython) + "; python3-matplotlib is Debian's package"};
    const int code = call({python(), script.string(), results.string()});
    if (code != kExitDone) return {{}, script.string() + " failed with exit code " + std::to_string(code)};
    return {images(results), ""};
}

int write_report(const std::filesystem::path& results, const std::string& size) {
    const auto program = script(kReport);
    if (program.empty()) {
        throw Error(Failure::kMissing, "no report can be written", known_as(kReport) + " was not found",
                    "run from an installation that has it, or from the build of a checkout");
    }
    if (python().empty()) {
        throw Error(Failure::kMissing, "no report can be written", kNoPython,
                    "sudo apt-get install python3-matplotlib");
    }
    const int code = call({python(), program.string(), "--size", size, "--", results.string()}, Output::kShown);
    if (code < 0) {
        throw Error(Failure::kError, "no report was written", program.string() + " died",
                    "run it by itself: " + python() + " " + shell_word(program.string()) + " " +
                        shell_word(results.string()));
    }
    return code;
}

} // namespace hogwild
