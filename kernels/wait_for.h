// Waiting for a time without leaving the core, as computing would.
//
// At least that long; longer by up to one reading of the clock, some 25 ns where the system reads it without a call.
#pragma once

#include "kernels/spin_wait.h"

#include <cstdint>
#include <ctime>

namespace hogwild {

inline std::uint64_t monotonic_nanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

inline void wait_for(std::uint64_t nanoseconds) {
    const std::uint64_t until = monotonic_nanoseconds() + nanoseconds;
    while (monotonic_nanoseconds() < until) cpu_relax();
}

} // namespace hogwild
