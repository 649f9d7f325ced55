// Borrowed memory: one launch of Hogwild! steps on a GPU, and what its workers share. Readable by the host compiler.
//
// A worker is a warp. Positions [first, first + count) of an epoch are cut into shares of 32; a warp claims a share from
// `claimed`, its lanes look up one sample each, and the warp steps through these samples one after another.
#pragma once

#include "kernels/pace.h"
#include "kernels/sample_order.h"
#include "kernels/views.h"

#include <cstdint>

namespace hogwild {

/// What a launch lends to its probe; all pointers to device memory, or null where the probe has no use for them.
struct DeviceTelemetry {
    static constexpr std::uint32_t kBuckets = 65; // of staleness: 0, then one per power of two

    unsigned long long* clock = nullptr;   // steps that wrote, of all workers of the device
    unsigned long long* buckets = nullptr; // kBuckets counts
    unsigned long long* sum = nullptr;     // of staleness
    unsigned long long* most = nullptr;    // largest staleness
    unsigned long long* issued = nullptr;  // increments sent to the shadow
    float* shadow = nullptr;               // counts increments, same shape as the weights
};

/// How blocks exchange their copies of the hottest coordinates (kernels/cuda/hot_weights.cuh).
struct HotExchange {
    std::uint32_t hot = 0;  // coordinates [0, hot) are copied; 0: none
    float rule = 1;         // 1: increments are summed over blocks; 1 / blocks: averaged
    float* bases = nullptr; // device memory, blocks x hot floats
};

struct DevicePass {
    SparseView data; // in memory that the device reads
    SampleOrder order;
    std::uint32_t epoch = 0;
    std::uint32_t first = 0; // position
    std::uint32_t count = 0;
    const Pace* paces = nullptr;      // of the epoch's cells of 256 positions
    float* weights = nullptr;         // v; the weights are scale x v
    std::uint32_t* claimed = nullptr; // shares, 0 at the launch
    HotExchange exchange;
    DeviceTelemetry telemetry;
};

} // namespace hogwild
