// Staleness on a GPU. A clock of the device ticks once per step that writes. A step that reads at tick r and ticks as t
// has staleness t - r. It is measured on every step (exact, with the lost-update meter), or on one position in 64
// (sampled). When sampled, the clock ticks on every step all the same, at one reduction a row.
#pragma once

#include "kernels/cuda/pass.h"
#include "kernels/cuda/rows/warp_row.cuh"
#include "kernels/numbers/histogram.h"

#include <cuda/atomic>

#include <cstdint>

namespace hogwild::device {

template <bool kExact>
class StalenessProbe {
public:
    static constexpr std::uint32_t kEvery = kExact ? 1 : 64;

    __device__ explicit StalenessProbe(const DeviceTelemetry& telemetry) : telemetry_(telemetry) {}

    __device__ void read(std::uint32_t position) {
        sampling_ = position % kEvery == 0;
        if (sampling_) at_read_ = clock().load(cuda::memory_order_relaxed);
    }

    /// `counts`: the shadow buffer, under the same policy as the weights.
    template <class Row, class Counts>
    __device__ void wrote(const Row& row, const Counts& counts) {
        if constexpr (kExact) row.count_in(counts);
        if (lane() != 0) return;
        if (!sampling_) {
            atomicAdd(telemetry_.clock, 1ULL);
            return;
        }
        const unsigned long long stale = clock().fetch_add(1, cuda::memory_order_relaxed) - at_read_;
        atomicAdd(telemetry_.buckets + Histogram::bucket(stale), 1ULL);
        atomicAdd(telemetry_.sum, stale);
        atomicMax(telemetry_.most, stale);
        if constexpr (kExact) atomicAdd(telemetry_.issued, static_cast<unsigned long long>(row.size()));
    }

private:
    __device__ cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> clock() const {
        return cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*telemetry_.clock);
    }

    const DeviceTelemetry& telemetry_;
    unsigned long long at_read_ = 0;
    bool sampling_ = false;
};

} // namespace hogwild::device
