// One line on standard error that is redrawn while bytes arrive, four times a second at most. It is not written when
// standard error is no terminal.
//
// Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace hogwild {

class TransferLine {
public:
    /// The line begins with `title`. Draws only if `wanted` and a terminal.
    TransferLine(bool wanted, std::string title);
    ~TransferLine();
    TransferLine(const TransferLine&) = delete;
    TransferLine& operator=(const TransferLine&) = delete;

    /// `total`: 0 when it is not known.
    void show(std::uint64_t done, std::uint64_t total);

private:
    using Clock = std::chrono::steady_clock;

    bool draws_;
    std::string title_;
    bool begun_ = false;
    Clock::time_point first_time_, last_time_;
    std::uint64_t first_done_ = 0;
};

} // namespace hogwild
