// A child process for tests: started with words, watched through pipes, never waited for by sleeping.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hogwild {

/// The built program; ctest names it.
inline std::string program() {
    const char* path = std::getenv("HOGWILD_PROGRAM");
    REQUIRE_MESSAGE(path != nullptr, "HOGWILD_PROGRAM must name the built hogwild; ctest sets it");
    return path;
}

class Child {
public:
    enum class ErrorStream { kPipe, kTerminal };

    /// `output`: a file that takes its standard output instead of the pipe.
    explicit Child(std::vector<std::string> words, const std::filesystem::path& folder = ".",
                   const char* output = nullptr, ErrorStream error_stream = ErrorStream::kPipe) {
        REQUIRE(pipe(out_) == 0);
        if (error_stream == ErrorStream::kPipe) {
            REQUIRE(pipe(error_) == 0);
        } else {
            error_[0] = posix_openpt(O_RDWR | O_NOCTTY);
            REQUIRE(grantpt(error_[0]) == 0);
            REQUIRE(unlockpt(error_[0]) == 0);
            error_[1] = open(ptsname(error_[0]), O_RDWR | O_NOCTTY);
            REQUIRE(error_[1] >= 0);
        }
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_ = fork();
        REQUIRE(pid_ >= 0);
        if (pid_ == 0) {
            const int out = output == nullptr ? out_[1] : open(output, O_WRONLY);
            dup2(out, STDOUT_FILENO);
            dup2(error_[1], STDERR_FILENO);
            for (const int end : {out_[0], out_[1], error_[0], error_[1]}) close(end);
            if (chdir(folder.c_str()) == 0) execv(arguments[0], arguments.data());
            _exit(127);
        }
        close(out_[1]);
        close(error_[1]);
    }
    ~Child() {
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
        close(out_[0]);
        close(error_[0]);
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Blocks until its standard error holds `text` (true), or it ends without (false).
    bool wait_for_error(const std::string& text) {
        while (error.find(text) == std::string::npos) {
            if (!pump()) return false;
        }
        return true;
    }

    /// Blocks until its standard output holds this many lines (true), or it ends without (false).
    bool wait_for_lines(std::size_t count) {
        while (static_cast<std::size_t>(std::count(out.begin(), out.end(), '\n')) < count) {
            if (!pump()) return false;
        }
        return true;
    }

    pid_t pid() const { return pid_; }

    /// kill -9, and waits until it is gone.
    void kill_now() {
        REQUIRE(kill(pid_, SIGKILL) == 0);
        finish();
    }

    void interrupt(int signal = SIGINT) const { REQUIRE(kill(pid_, signal) == 0); }

    /// Blocks until it ends; its exit code, or 1000 + the signal that killed it.
    int finish() {
        while (pump()) {}
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    }

    std::string out, error;

private:
    /// Reads what there is, blocking for it; false when both streams have ended.
    bool pump() {
        pollfd streams[2] = {{out_open_ ? out_[0] : -1, POLLIN, 0}, {error_open_ ? error_[0] : -1, POLLIN, 0}};
        if (!out_open_ && !error_open_) return false;
        if (poll(streams, 2, -1) < 0) return errno == EINTR;
        if (streams[0].revents != 0) out_open_ = read_some(out_[0], out);
        if (streams[1].revents != 0) error_open_ = read_some(error_[0], error);
        return out_open_ || error_open_;
    }

    static bool read_some(int file, std::string& text) {
        char block[4096];
        const ssize_t got = read(file, block, sizeof block);
        if (got > 0) text.append(block, static_cast<std::size_t>(got));
        return got > 0 || (got < 0 && errno == EINTR);
    }

    int out_[2], error_[2];
    bool out_open_ = true, error_open_ = true;
    pid_t pid_ = -1;
};

/// A process whose parent this is, or 0.
inline pid_t child_of(pid_t parent) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "stat"); // 17 (its name) S 12 ...; one that is no process has none
        std::string text;
        std::getline(file, text);
        const auto name_end = text.rfind(") ");
        if (name_end != std::string::npos && std::atoi(text.c_str() + name_end + 4) == parent)
            return std::atoi(text.c_str());
    }
    return 0;
}

struct Finished {
    int code;
    std::string out, error;
};

/// Runs the program to its end in `folder`.
inline Finished call(const std::vector<std::string>& arguments, const std::filesystem::path& folder = ".",
                     const char* output = nullptr) {
    std::vector<std::string> words{program()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    Child child(std::move(words), folder, output);
    const int code = child.finish();
    return {code, child.out, child.error};
}

} // namespace hogwild
