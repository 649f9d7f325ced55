#include "experiments/plots.h"

#include "experiments/exit_code.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hogwild {
namespace {

constexpr const char* kScriptName = "results/plot/plot.py";

/// Exit code of `program arguments...`, its standard output dropped (callers list the files themselves); -1 if it did not start or died.
int call(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The first Python that has matplotlib: a system's package is seen only by the system's interpreter, which need not come
/// first in PATH.
std::string python() {
    for (const char* candidate : {"python3", "/usr/bin/python3"}) {
        if (call({candidate, "-c",
                  "import importlib.util, sys; sys.exit(importlib.util.find_spec('matplotlib') is None)"}) == 0) {
            return candidate;
        }
    }
    return "";
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

} // namespace

std::filesystem::path plot_script() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        const auto installed = program.parent_path().parent_path() / "share" / "hogwild" / "plot" / "plot.py";
        if (std::filesystem::exists(installed, error)) return installed;
    }
#ifdef HOGWILD_PLOT_SCRIPT
    if (std::filesystem::exists(HOGWILD_PLOT_SCRIPT, error)) return HOGWILD_PLOT_SCRIPT;
#endif
    return {};
}

std::string plot_command(const std::filesystem::path& results) {
    const auto script = plot_script();
    return "python3 " + (script.empty() ? kScriptName : script.string()) + " " + results.string();
}

Plots draw_plots(const std::filesystem::path& results) {
    const auto script = plot_script();
    if (script.empty()) return {{}, std::string(kScriptName) + " was not found"};
    const std::string interpreter = python();
    if (interpreter.empty())
        return {{}, "no python3 with matplotlib was found (python3-matplotlib is Debian's package)"};
    const int code = call({interpreter, script.string(), results.string()});
    if (code != kExitDone) return {{}, script.string() + " failed with exit code " + std::to_string(code)};
    return {images(results), ""};
}

} // namespace hogwild
