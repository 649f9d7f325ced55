// Exchanges increments between the host's array and a GPU's copy of it, while CPU threads and streams go on (kernels/exchange.h).
// Only in builds with CUDA.
//
// A round: the copy as it is travels to the host, one thread exchanges it with the array, and what the copy is owed travels back
// and is added to it by reductions. Under `atomic` increments are conserved exactly, up to rounding.
// Under lazy L2 the array means scale x v at the scale of the moment that it holds, which is how many samples the GPU had consumed
// when the round began that ended last: an H200 lets the scale fall by half between two rounds.
// Thread-safety: any thread; one round or rescaling at a time. Errors: throws Error when the device fails.
#pragma once

#include "engine/gpu/device_memory.h"
#include "engine/gpu/stream.h"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace hogwild {

class Bridge {
public:
    /// Both arrays are zero. `rule`: kernels/exchange.h. `consumed`: where streams count on the device; null: nobody does.
    Bridge(float* host, float* device, std::uint32_t columns, float rule, bool atomic,
           const unsigned long long* consumed = nullptr);

    void exchange();

    /// Samples of the GPU whose increments the host's array holds. Any thread.
    std::uint64_t held() const { return held_.load(std::memory_order_acquire); }

    /// Multiplies coordinates [begin, end) of the array and of the copy by a factor, between two rounds; where nobody steps. The
    /// array is of that moment then: what it lacks lies in the new era's scale.
    void rescale(std::uint32_t begin, std::uint32_t end, float factor);

private:
    void fetch_count();

    float* host_;
    float* device_;
    float rule_;
    bool atomic_;
    const unsigned long long* consumed_;
    std::atomic<int> rescaling_{0}; // who waits to
    std::mutex one_at_a_time_;
    Stream stream_;
    PinnedArray<float> seen_, base_, delta_;
    PinnedArray<unsigned long long> count_; // of one
    std::atomic<std::uint64_t> held_{0};
    DeviceArray<float> owed_;
};

} // namespace hogwild
