// SIGINT, SIGTERM, SIGHUP: the first asks the current run to stop at its next chunk, so that it is evaluated and recorded, and
// says so; the second, or one that comes before anything is being measured, ends the process at once with exit code 130.
//
// One object at a time; the handler only touches lock-free atomics.
#pragma once

#include <atomic>

namespace hogwild {

class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// From now on there is something to save.
    void arm();

    const std::atomic<bool>& requested() const;
};

} // namespace hogwild
