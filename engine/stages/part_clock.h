// The time of a part of a stage's step, and its range on the time line of a profiler.
//
//     { const PartClock clock(parts, &ConvPoolParts::load, "load"); ... }
//
// Thread-safety: the parts are the caller's own.
#pragma once

#include "engine/machine/profiler_range.h"
#include "engine/stages/conv_pool_stage.h"

#include <chrono>

namespace hogwild {

/// Adds the seconds that it lives to one part; without parts no clock runs.
class PartClock {
public:
    PartClock(ConvPoolParts* parts, double ConvPoolParts::*part, const char* name)
        : range_(name), seconds_(parts == nullptr ? nullptr : &(parts->*part)) {
        if (seconds_ != nullptr) start_ = Clock::now();
    }
    PartClock(const PartClock&) = delete;
    PartClock& operator=(const PartClock&) = delete;
    ~PartClock() {
        if (seconds_ != nullptr) *seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
    }

private:
    using Clock = std::chrono::steady_clock;

    ProfilerRange range_;
    double* seconds_;
    Clock::time_point start_{};
};

} // namespace hogwild
