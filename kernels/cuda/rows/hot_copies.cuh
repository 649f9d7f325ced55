// Copies of a few coordinates in a block's shared memory, and their exchange with the parameter buffer.
//
// Say that a copy was `base` at the last exchange and is `own` now. It pushes rule x (own - base), receives the
// buffer's value g after that, and moves by g - own. Increments that warps of the block add meanwhile stay. With rule 1
// nothing is counted twice and nothing is lost, up to rounding. A smaller rule averages over blocks instead of summing,
// which keeps large steps from overshooting.
//
// Sources: one replica per multiprocessor is DimmWitted's "per core" (Zhang and Re, VLDB 2014) on a GPU. HogWild++
// exchanges increments instead of models (Zhang, Hsieh, Akella, ICDM 2016).
#pragma once

#include "kernels/cuda/memory/atomic.cuh"
#include "kernels/cuda/pass.h"
#include "kernels/cuda/rows/warp_row.cuh"

#include <cstdint>

namespace hogwild::device {

/// `Where`: where(k) is the coordinate of copy number k.
template <Scope S, class Where>
class HotCopies {
public:
    /// `shared`: 2 x hot floats of the block's shared memory, uninitialised. `steps`: of the block, too, 0.
    __device__ HotCopies(float* weights, float* shared, unsigned* steps, std::uint32_t hot, const Where& where)
        : weights_(weights), own_(shared), base_(shared + hot), steps_(steps), hot_(hot), where_(where) {}

    __device__ const float* at(std::uint32_t k) const { return own_ + k; }
    __device__ void add(std::uint32_t k, float by) const { atomicAdd_block(own_ + k, by); }

    /// A warp has stepped through so many samples.
    __device__ void stepped(std::uint32_t samples) const {
        if (S == Scope::kSystem && lane() == 0) atomicAdd_block(steps_, samples);
    }

    /// Whether a round of exchanges is worth its traffic when one was made `before` so many steps. Across a link, where a
    /// round would crowd out the steps, it waits for about as much traffic of theirs.
    __device__ bool due(unsigned& before) const {
        if constexpr (S == Scope::kDevice) return true;
        const unsigned now = *const_cast<volatile unsigned*>(steps_);
        if (now - before < hot_ / kTrafficOfStep) {
            __nanosleep(500);
            return false;
        }
        before = now;
        return true;
    }

    /// Takes the buffer's value of copy k < hot.
    __device__ void fetch(std::uint32_t k) const { base_[k] = own_[k] = relaxed_load<S>(weights_[where_(k)]); }

    /// A warp exchanges copies [first, first + kGroup) below hot; one warp at a time for each of them.
    __device__ void exchange(std::uint32_t first, float rule) const {
        float own[kTogether], fresh[kTogether]; // many in flight: each is a round trip to the second-level cache
#pragma unroll
        for (unsigned i = 0; i < kTogether; ++i) {
            const std::uint32_t k = first + lane() + kWarp * i;
            if (k >= hot_) continue;
            own[i] = *const_cast<const volatile float*>(own_ + k);
            const float push = rule * (own[i] - base_[k]);
            fresh[i] = fetch_add<S>(weights_[where_(k)], push) + push;
        }
#pragma unroll
        for (unsigned i = 0; i < kTogether; ++i) {
            const std::uint32_t k = first + lane() + kWarp * i;
            if (k >= hot_) continue;
            if (fresh[i] != own[i]) atomicAdd_block(own_ + k, fresh[i] - own[i]);
            base_[k] = fresh[i];
        }
    }

    // Coordinates that a step reads and adds to beside the hot ones, as in text; rounds are then about as much traffic.
    static constexpr unsigned kTrafficOfStep = 16;
    static constexpr unsigned kTogether = 8;
    static constexpr std::uint32_t kGroup = kTogether * kWarp;

    __device__ std::uint32_t size() const { return hot_; }

private:
    float* weights_;
    float* own_;  // shared memory
    float* base_; // shared memory: own_ at the last exchange
    unsigned* steps_;
    std::uint32_t hot_;
    Where where_;
};

} // namespace hogwild::device
