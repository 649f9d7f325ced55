// When a solver gives up: passes or seconds, whichever runs out first.
#pragma once

#include "engine/optimum/optimum.h"

#include <chrono>

namespace hogwild {

class Deadline {
public:
    explicit Deadline(const OptimumOptions& options)
        : max_passes_(options.max_passes), max_seconds_(options.max_seconds), start_(Clock::now()) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool over(std::uint64_t passes) const { return passes >= max_passes_ || seconds() >= max_seconds_; }

private:
    using Clock = std::chrono::steady_clock;

    std::uint64_t max_passes_;
    double max_seconds_;
    Clock::time_point start_;
};

} // namespace hogwild
