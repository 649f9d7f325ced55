#include "experiments/fetch/transfer_line.h"

#include "engine/numbers.h"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include <unistd.h>

namespace hogwild {

TransferLine::TransferLine(bool wanted, std::string title)
    : draws_(wanted && isatty(STDERR_FILENO) != 0), title_(std::move(title)) {}

TransferLine::~TransferLine() {
    if (draws_ && begun_) std::fputs("\r\x1b[K", stderr); // back to the line's start, and erase it
}

void TransferLine::show(std::uint64_t done, std::uint64_t total) {
    const auto now = Clock::now();
    if (!draws_ || (begun_ && now - last_time_ < std::chrono::milliseconds(250))) return;
    if (!std::exchange(begun_, true)) {
        first_time_ = now;
        first_done_ = done; // what an earlier attempt left says nothing about the speed of this one
    }
    last_time_ = now;
    const double here = static_cast<double>(done), whole = static_cast<double>(total);
    std::string line = fmt::format("\r\x1b[K{}: {}", title_, human_bytes(here));
    if (total > 0) line += fmt::format(" of {}, {:.0f} %", human_bytes(whole), 100 * here / whole);
    const double seconds = std::chrono::duration<double>(now - first_time_).count();
    const double speed = static_cast<double>(done - first_done_) / seconds;
    if (done > first_done_ && seconds > 0) {
        line += fmt::format(", {}/s", human_bytes(speed));
        if (total > done) line += fmt::format(", {} left", human_seconds((whole - here) / speed));
    }
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
}

} // namespace hogwild
