// The parameter buffer as the warps of one block see it when its hottest coordinates live in the block's shared memory
// (kernels/cuda/rows/hot_copies.cuh).
//
// Coordinates k << shift, k < hot, are the hottest (engine/data/sparse/placement.h puts them there). A block steps on its own copy
// of them and exchanges with the buffer; other coordinates go to the buffer directly.
#pragma once

#include "kernels/cuda/rows/hot_copies.cuh"

#include <cstdint>

namespace hogwild::device {

/// Where copy k's coordinate is.
struct ShiftedPlace {
    std::uint32_t shift;
    __device__ std::uint32_t operator()(std::uint32_t k) const { return k << shift; }
};

template <Scope S, class Update>
class HotWeights : public HotCopies<S, ShiftedPlace> {
public:
    static constexpr bool kCopies = true; // add reaches the others, add_to_copy the hot ones

    __device__ HotWeights(const PassFrame& pass, float* shared, unsigned* steps)
        : Copies(static_cast<float*>(pass.weights), shared, steps, pass.exchange.hot, {pass.exchange.shift}),
          weights_(static_cast<float*>(pass.weights)),
          shift_(pass.exchange.shift) {}

    /// By generic address: one instruction for all lanes, whichever memory they read.
    __device__ float load(std::uint32_t j) const {
        return relaxed_load<S>(is_hot(j) ? *Copies::at(j >> shift_) : weights_[j]);
    }

    __device__ void add(std::uint32_t j, float by) const {
        if (!is_hot(j)) Update::add(weights_[j], by);
    }

    __device__ void add_to_copy(std::uint32_t j, float by) const {
        if (is_hot(j)) Copies::add(j >> shift_, by);
    }

private:
    using Copies = HotCopies<S, ShiftedPlace>;

    __device__ bool is_hot(std::uint32_t j) const {
        const std::uint32_t k = j >> shift_;
        return k < Copies::size() && k << shift_ == j;
    }

    float* weights_;
    std::uint32_t shift_;
};

} // namespace hogwild::device
