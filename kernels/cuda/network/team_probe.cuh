// How stale the steps of teams are, and what becomes of them by that.
#pragma once

#include "kernels/cuda/network/team_memory.h"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/step_through.cuh"
#include "kernels/numbers/histogram.h"
#include "kernels/steps/staleness_rule.h"

namespace hogwild::device {

/// How stale a team's steps are, and what becomes of them by that; by one thread of it.
class TeamProbe {
public:
    /// `at_read`: of a step that another launch began.
    __device__ TeamProbe(const DeviceTelemetry& telemetry, bool measures, const Teams& teams,
                         unsigned long long at_read = 0)
        : telemetry_(telemetry), teams_(teams), measures_(measures), at_read_(at_read) {}

    __device__ void read() {
        if (measures_ || rules()) at_read_ = relaxed_count(telemetry_.clock);
    }
    __device__ unsigned long long at_read() const { return at_read_; }

    /// Before the increments: the step's place among those that write, and by which part of its size. 0: it has none.
    __device__ float admit() {
        if (!rules()) return 1;
        unsigned long long place = relaxed_count(telemetry_.clock);
        for (;;) {
            stale_ = place - at_read_;
            const double share = staleness_factor(teams_.rule, stale_, teams_.limit);
            if (share == 0) {
                atomicAdd(teams_.dropped, 1ULL);
                return 0;
            }
            const unsigned long long seen = atomicCAS(telemetry_.clock, place, place + 1);
            if (seen == place) return static_cast<float>(share);
            place = seen;
        }
    }

    __device__ void wrote() {
        if (!measures_) return;
        if (!rules()) stale_ = atomicAdd(telemetry_.clock, 1ULL) - at_read_;
        atomicAdd(telemetry_.buckets + Histogram::bucket(stale_), 1ULL);
        atomicAdd(telemetry_.sum, stale_);
        atomicMax(telemetry_.most, stale_);
    }

private:
    __device__ bool rules() const { return teams_.rule != StalenessRule::kNone; }

    const DeviceTelemetry& telemetry_;
    const Teams& teams_;
    bool measures_;
    unsigned long long at_read_, stale_ = 0;
};

} // namespace hogwild::device
