#include "experiments/bench/harness/subprocess.h"

#include "engine/error.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hogwild {
namespace {

[[noreturn]] void refuse(const std::string& program, int error) {
    throw Error(error == ENOENT || error == EACCES ? Failure::kMissing : Failure::kError,
                fmt::format("{} cannot be started", program), std::strerror(error), "give the path of an executable");
}

std::string read_all(int pipe) {
    std::string text;
    char part[4096];
    for (;;) {
        const ssize_t size = read(pipe, part, sizeof part);
        if (size > 0) text.append(part, static_cast<std::size_t>(size));
        if (size == 0 || (size < 0 && errno != EINTR)) return text;
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

} // namespace

std::string output_of(const std::vector<std::string>& command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) refuse(command[0], errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_t child = 0;
    const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string text = error == 0 ? read_all(ends[0]) : "";
    close(ends[0]);
    if (error != 0) refuse(command[0], error);
    const int status = wait_for(child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw Error(fmt::format("{} failed", command[0]),
                    WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                      : fmt::format("signal {}", WTERMSIG(status)),
                    fmt::format("run it by hand: {}", fmt::join(command, " ")));
    }
    return text;
}

} // namespace hogwild
