// The parameter buffer as a warp sees it: every access goes to the one buffer.
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/memory/quad.cuh"
#include "kernels/cuda/pass.h"

#include <cstdint>

namespace hogwild::device {

template <Scope S, class Update>
class GlobalWeights {
public:
    static constexpr bool kCopies = false; // add reaches every coordinate

    __device__ explicit GlobalWeights(const PassFrame& pass) : GlobalWeights(static_cast<float*>(pass.weights)) {}
    __device__ explicit GlobalWeights(float* weights) : weights_(weights) {}

    __device__ float load(std::uint32_t j) const { return relaxed_load<S>(weights_[j]); }
    __device__ void add(std::uint32_t j, float by) const { Update::add(weights_[j], by); }
    __device__ void stepped(std::uint32_t) const {}

    /// Coordinates j to j + 3; j is a multiple of 4.
    __device__ float4 load_four(std::uint32_t j) const { return relaxed_load_four<S>(weights_ + j); }
    __device__ void add_four(std::uint32_t j, float4 by) const {
        if constexpr (requires { Update::add_four(weights_, by); }) {
            Update::add_four(weights_ + j, by);
        } else {
            add(j, by.x);
            add(j + 1, by.y);
            add(j + 2, by.z);
            add(j + 3, by.w);
        }
    }

    /// As add and add_four, where the step has read the coordinates: a policy that loads before it stores need not load again.
    __device__ void add_to(std::uint32_t j, float read, float by) const {
        if constexpr (requires { Update::add_to(weights_[j], read, by); }) {
            Update::add_to(weights_[j], read, by);
        } else {
            add(j, by);
        }
    }
    __device__ void add_four_to(std::uint32_t j, float4 read, float4 by) const {
        if constexpr (requires { Update::add_four_to(weights_, read, by); }) {
            Update::add_four_to(weights_ + j, read, by);
        } else {
            add_four(j, by);
        }
    }

private:
    float* weights_;
};

} // namespace hogwild::device
