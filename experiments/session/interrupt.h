// SIGINT, SIGTERM, SIGHUP. The first asks the current run to stop at its next chunk, so that it is evaluated and
// recorded, and says so. The second ends the process at once with exit code 130. So does one that comes before anything
// is being measured, which is said too.
//
// One object at a time; the handler only touches lock-free atomics.
#pragma once

#include <atomic>
#include <string_view>

namespace hogwild {

inline constexpr std::string_view kNothingMeasured =
    "\ninterrupted before anything was measured; no results were kept\n";

class Interrupt {
public:
    /// `speaks`: a signal is answered on standard error.
    explicit Interrupt(bool speaks = true);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// From now on there is something to save.
    void arm();

    const std::atomic<bool>& requested() const;
};

} // namespace hogwild
