// The parameter buffer as a warp sees it: every access goes to the one buffer.
#pragma once

#include "kernels/cuda/atomic.cuh"

#include <cstdint>

namespace hogwild::device {

template <Scope S, class Update>
class GlobalWeights {
public:
    __device__ explicit GlobalWeights(float* weights) : weights_(weights) {}

    __device__ float load(std::uint32_t j) const { return relaxed_load<S>(weights_[j]); }
    __device__ void add(std::uint32_t j, float by) const { Update::add(weights_[j], by); }

private:
    float* weights_;
};

} // namespace hogwild::device
