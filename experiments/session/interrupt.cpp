#include "experiments/session/interrupt.h"

#include "experiments/text/exit_code.h"

#include <csignal>

#include <unistd.h>

namespace hogwild {
namespace {

std::atomic<bool> armed{false};
std::atomic<bool> requested_{false};
std::atomic<bool> speaks_{true};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

void say(std::string_view text) {
    if (!speaks_.load(std::memory_order_relaxed)) return;
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
}

extern "C" void on_interrupt(int) {
    if (!armed.load(std::memory_order_relaxed)) {
        say(kNothingMeasured);
        _exit(kExitInterrupted);
    }
    if (requested_.exchange(true, std::memory_order_relaxed)) _exit(kExitInterrupted);
    say("\nstopping: what was evaluated is kept, and the last that was observed (once more gives it up)\n");
}

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

} // namespace

Interrupt::Interrupt(bool speaks) {
    speaks_.store(speaks, std::memory_order_relaxed);
    armed.store(false, std::memory_order_relaxed);
    requested_.store(false, std::memory_order_relaxed);
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_RESTART;
    for (const int signal : kSignals) {
        struct sigaction before {};
        sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr); // nohup's wish
    }
}

Interrupt::~Interrupt() {
    for (const int signal : kSignals) {
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        if (now.sa_handler == on_interrupt) std::signal(signal, SIG_DFL);
    }
}

void Interrupt::arm() { armed.store(true, std::memory_order_relaxed); }

const std::atomic<bool>& Interrupt::requested() const { return requested_; }

} // namespace hogwild
