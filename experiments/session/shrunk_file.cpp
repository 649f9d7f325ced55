#include "experiments/session/shrunk_file.h"

#include "engine/data/files/mapped_ranges.h"
#include "engine/error.h"

#include <atomic>
#include <csignal>
#include <cstring>

#include <unistd.h>

namespace hogwild {
namespace {

constinit std::atomic_flag told = ATOMIC_FLAG_INIT;

/// As tell does, by what a signal handler may call.
void write_text(const char* text) {
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

extern "C" void end_for_shrunk_file(int signal, siginfo_t* fault, void*) {
    const char* const path = path_mapped_at(fault->si_addr);
    if (path == nullptr) {
        std::signal(signal, SIG_DFL); // the same access faults again
        return;
    }
    while (told.test_and_set()) pause(); // another thread tells, and ends the process
    write_text("hogwild: ");
    write_text(path);
    write_text(
        " changed while it was read (it became shorter, or its disk failed); try again when nobody writes to it\n");
    _exit(static_cast<int>(Failure::kDisk));
}

} // namespace

void tell_of_shrunk_files() {
    struct sigaction action {};
    action.sa_sigaction = end_for_shrunk_file;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, nullptr);
}

} // namespace hogwild
