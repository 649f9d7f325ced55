#include "experiments/scripts/scripts.h"

#include "engine/error.h"
#include "engine/machine/limits/limits.h"
#include "experiments/scripts/search_path.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hogwild {
namespace {

constexpr unsigned kDescriptors = 4; // as many as a Python has open at once before it runs a script

/// Why this process may not have as many descriptors more; 0: it may.
int descriptors_error() {
    std::vector<int> opened;
    int error = 0;
    while (error == 0 && opened.size() < kDescriptors) {
        const int file = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (file < 0) error = errno;
        if (file >= 0) opened.push_back(file);
    }
    for (const int file : opened) ::close(file);
    return error == EMFILE || error == ENFILE ? error : 0;
}

std::string find_python(const std::vector<std::string>& modules) {
    if (descriptors_error() != 0) return "";
    const char* const path = std::getenv("PATH");
    for (const std::string& candidate :
         {program_in(path == nullptr ? "" : path, "python3"), std::string("/usr/bin/python3")}) {
        if (candidate.empty()) continue;
        // Nothing is imported from the folder where one stands, which "-c" puts first.
        std::vector<std::string> words{candidate, "-c",
                                       "import sys; sys.path = [path for path in sys.path if path]; "
                                       "from importlib.util import find_spec as find; "
                                       "sys.exit(any(find(name) is None for name in sys.argv[1:]))"};
        words.insert(words.end(), modules.begin(), modules.end());
        if (call(words, Output::kDropped) == 0) return candidate;
    }
    return "";
}

/// As the system wants them, the last one null.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Where nobody but the program's owner and root put anything.
bool is_as_safe(const std::filesystem::path& script, const std::filesystem::path& program) {
    struct stat of_script {
    }, of_program{};
    return ::stat(script.c_str(), &of_script) == 0 && ::stat(program.c_str(), &of_program) == 0 &&
           (of_script.st_uid == of_program.st_uid || of_script.st_uid == 0);
}

} // namespace

std::filesystem::path path_of(const Script& script) {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) return {};
    // A program in its build's folder has the scripts of its source, an installed one those of its prefix; a copy elsewhere has none.
    const auto build = std::filesystem::weakly_canonical(HOGWILD_BUILD_FOLDER, error);
    const auto folder = program.parent_path();
    if (folder.filename() == "bin") {
        const auto path = folder.parent_path() / "share" / "hogwild" / script.name;
        return is_as_safe(path, program) ? path : std::filesystem::path();
    }
    const bool built = std::ranges::mismatch(build, program).in1 == build.end();
    const auto path = std::filesystem::path(HOGWILD_RESULTS_FOLDER) / script.name;
    return built && std::filesystem::exists(path, error) ? path : std::filesystem::path();
}

std::string known_as(const Script& script) { return "results/" + script.name; }

const std::string& python_of(const Script& script) {
    static std::map<std::vector<std::string>, std::string> found;
    const auto known = found.find(script.modules);
    return known != found.end() ? known->second : found[script.modules] = find_python(script.modules);
}

std::string no_python(const Script& script) {
    const int error = descriptors_error();
    return error != 0 ? reason_of(error) : "no python3 with " + script.modules.front() + " was found";
}

std::string python_remedy(const std::string& otherwise) { return remedy_of(descriptors_error(), otherwise); }

std::string package_of(const Script& script) { return "python3-" + script.modules.front(); }

int call(std::vector<std::string> words, Output output) {
    std::vector<std::string> environment = python_environment();
    const std::vector<char*> arguments = pointers_to(words);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output == Output::kDropped) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    }
    pid_t child = 0;
    const int error =
        posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), pointers_to(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    if (error == EAGAIN || error == EMFILE || error == ENFILE || error == ENOMEM)
        throw Error(words[0] + " cannot be started", reason_of_start(error), remedy_of_start(error));
    if (error != 0) return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int run_script(const Script& script, const std::vector<std::string>& words, const std::string& product, Output output) {
    const auto path = path_of(script);
    if (path.empty()) {
        throw Error(Failure::kMissing, "no " + product + " can be written", known_as(script) + " was not found",
                    "run from an installation that has it, or from the build of a checkout");
    }
    const std::string& python = python_of(script);
    if (python.empty()) {
        throw Error(descriptors_error() != 0 ? Failure::kError : Failure::kMissing, "no " + product + " can be written",
                    no_python(script), python_remedy("sudo apt-get install " + package_of(script)));
    }
    std::vector<std::string> line{python, path.string()};
    line.insert(line.end(), words.begin(), words.end());
    const int code = call(std::move(line), output);
    if (code < 0) {
        throw Error(Failure::kError, "no " + product + " was written", path.string() + " died",
                    "run it by itself: " + shell_line(script, words));
    }
    return code;
}

std::string shell_word(const std::string& text) {
    const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || std::strchr("/._-+:,@%", c) != nullptr; };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string shell_line(const Script& script, const std::vector<std::string>& words) {
    const auto path = path_of(script);
    const std::string& python = python_of(script);
    std::string line =
        (python.empty() ? "python3" : python) + " " + shell_word(path.empty() ? known_as(script) : path.string());
    for (const std::string& word : words) line += " " + shell_word(word);
    return line;
}

} // namespace hogwild
