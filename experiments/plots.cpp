#include "experiments/plots.h"

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

constexpr const char* kScriptName = "results/plot/plot.py";

/// Exit code of `program arguments...`, its standard output dropped (callers list the files themselves); -1 if it did not
/// start or died.
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
    return (python().empty() ? "python3" : python()) + " " +
           shell_word(script.empty() ? kScriptName : script.string()) + " " + shell_word(results.string());
}

Plots draw_plots(const std::filesystem::path& results) {
    const auto script = plot_script();
    if (script.empty()) return {{}, std::string(kScriptName) + " was not found"};
    if (python().empty()) return {{}, "no python3 with matplotlib was found; python3-matplotlib is Debian's package"};
    const int code = call({python(), script.string(), results.string()});
    if (code != kExitDone) return {{}, script.string() + " failed with exit code " + std::to_string(code)};
    return {images(results), ""};
}

} // namespace hogwild
