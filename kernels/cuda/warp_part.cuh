// A part of a warp that holds one sample: kLanes neighbouring lanes, a power of two.
#pragma once

#include "kernels/cuda/rows/warp_row.cuh"

namespace hogwild::device {

template <unsigned kLanes>
__device__ inline unsigned part_lane() {
    return lane() % kLanes;
}

/// The sum over the lanes of each part, in all of them: halves folded onto halves. By all lanes of the warp.
template <unsigned kLanes>
__device__ inline float part_sum(float value) {
#pragma unroll
    for (unsigned distance = kLanes / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(kAllLanes, value, distance);
    return value;
}

} // namespace hogwild::device
