#include "experiments/session/progress.h"

#include "engine/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>

#include <unistd.h>

namespace hogwild {

Progress::Progress(bool wanted, std::string title, double total, const std::atomic<std::uint64_t>& done)
    : title_(std::move(title)), total_(total), done_(done) {
    if (!wanted || isatty(STDERR_FILENO) == 0) return;
    try {
        thread_ = std::thread([this] { draw(); });
    } catch (const std::system_error&) {
        return; // a limit of threads costs the line, not the run
    }
}

Progress::~Progress() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stop_.notify_one();
    thread_.join();
    std::fputs("\r\x1b[K", stderr); // back to the line's start, and erase it
    std::fflush(stderr);
}

void Progress::draw() {
    const auto begin = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, std::chrono::milliseconds(250), [this] { return stopping_; })) {
        const double done = static_cast<double>(done_.load(std::memory_order_relaxed));
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const double percent = total_ > 0 ? std::min(100.0, 100 * done / total_) : 0;
        const std::string line =
            fmt::format("\r\x1b[K{}: {}", title_,
                        percent < 100 ? fmt::format("{:.0f} %, {} M updates/s", percent, human(done / seconds * 1e-6))
                                      : "evaluating what was observed");
        std::fputs(line.c_str(), stderr);
        std::fflush(stderr);
    }
}

} // namespace hogwild
