// What the warps of a synchronous step read (kernels/cuda/batches/batches.h).
#pragma once

#include "kernels/cuda/memory/atomic.cuh"

#include <cstdint>

namespace hogwild::device {

/// Weights that the launch before wrote: the multiprocessor's own cache may hold what they were.
class SharedWeights {
public:
    __device__ explicit SharedWeights(const float* weights) : weights_(weights) {}

    __device__ float load(std::uint32_t j) const { return relaxed_load<Scope::kDevice>(weights_[j]); }

private:
    const float* weights_;
};

} // namespace hogwild::device
