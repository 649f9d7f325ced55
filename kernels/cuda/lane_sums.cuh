// Several sums over a warp at once, which lanes share among themselves. With every exchange a lane hands over half of
// the sums that it still works on. Eight sums take nine shuffles, not forty.
#pragma once

#include "kernels/cuda/warp.cuh"

#include <bit>

namespace hogwild::device {

/// Lane l gets the sum of values[l % kSums] over all lanes, or 0 where there is no such value. kSums is the power of
// two from kCount up, at most 32.
template <unsigned kCount>
__device__ inline float lane_sums(const float (&values)[kCount]) {
    constexpr unsigned kSums = std::bit_ceil(kCount);
    float part[kSums];
#pragma unroll
    for (unsigned i = 0; i < kSums; ++i) part[i] = i < kCount ? values[i] : 0.0f;
#pragma unroll
    for (unsigned half = kSums / 2; half > 0; half /= 2) {
        const bool upper = (lane() & half) != 0;
#pragma unroll
        for (unsigned i = 0; i < half; ++i) {
            const float given = upper ? part[i] : part[i + half], kept = upper ? part[i + half] : part[i];
            part[i] = kept + __shfl_xor_sync(kAllLanes, given, half);
        }
    }
#pragma unroll
    for (unsigned distance = kSums; distance < kWarp; distance *= 2)
        part[0] += __shfl_xor_sync(kAllLanes, part[0], distance);
    return part[0];
}

} // namespace hogwild::device
