// The parameter buffer as the warps of one block see it when its hottest coordinates live in the block's shared memory.
//
// Coordinates [0, hot) are the hottest (engine/data/placement.h puts them there). A block steps on its own copy of them and
// exchanges with the buffer: what it added since its last exchange goes to the buffer, and what others added comes back.
// A copy that was `base` at the last exchange and is `own` now pushes rule x (own - base), receives the buffer's value g
// after that, and moves by g - own; increments that warps of the block add meanwhile stay. With rule 1 nothing is counted
// twice and nothing is lost, up to rounding; a smaller rule averages over blocks instead of summing, which keeps large steps
// from overshooting. Other coordinates go to the buffer directly.
//
// Source: one replica per multiprocessor is DimmWitted's "per core" (Zhang and Re, VLDB 2014) on a GPU; exchanging increments
// instead of models as HogWild++ (Zhang, Hsieh, Akella, ICDM 2016).
#pragma once

#include "kernels/cuda/atomic.cuh"

#include <cstdint>

namespace hogwild::device {

template <Scope S, class Update>
class HotWeights {
public:
    __device__ HotWeights(float* weights, float* own, std::uint32_t hot) : weights_(weights), own_(own), hot_(hot) {}

    __device__ float load(std::uint32_t j) const {
        return j < hot_ ? *const_cast<const volatile float*>(own_ + j) : relaxed_load<S>(weights_[j]);
    }

    __device__ void add(std::uint32_t j, float by) const {
        if (j < hot_) {
            atomicAdd_block(own_ + j, by);
        } else {
            Update::add(weights_[j], by);
        }
    }

    /// Exchanges coordinate j < hot: by one thread at a time. `base` is this block's, of coordinate j.
    __device__ void exchange(std::uint32_t j, float& base, float rule) const {
        const float own = *const_cast<const volatile float*>(own_ + j);
        const float push = rule * (own - base);
        float fresh;
        if (push != 0.0f) {
            fresh = (S == Scope::kDevice ? atomicAdd(weights_ + j, push) : atomicAdd_system(weights_ + j, push)) + push;
        } else {
            fresh = relaxed_load<S>(weights_[j]);
        }
        if (fresh != own) atomicAdd_block(own_ + j, fresh - own);
        base = fresh;
    }

    __device__ std::uint32_t hot() const { return hot_; }

private:
    float* weights_;
    float* own_; // shared memory
    std::uint32_t hot_;
};

} // namespace hogwild::device
