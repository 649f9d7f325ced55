// A warp's lanes: how many, which one this is, and sums over all of them.
#pragma once

namespace hogwild::device {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFF;

__device__ inline unsigned lane() { return threadIdx.x % kWarp; }

/// The sum over all lanes, in all lanes; a fixed tree, so that one row gives the same bits whoever steps on it.
template <class Real>
__device__ inline Real warp_sum(Real value) {
#pragma unroll
    for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(kAllLanes, value, distance);
    }
    return value;
}

} // namespace hogwild::device
