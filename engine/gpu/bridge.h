// Exchanges increments between the host's array and a GPU's copy of it, while CPU threads and streams go on (kernels/exchange.h).
// Only in builds with CUDA.
//
// A round: the copy as it is travels to the host, one thread exchanges it with the array, and what the copy is owed travels back
// and is added to it by reductions. Under `atomic` increments are conserved exactly, up to rounding.
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
    /// Both arrays are zero. `rule`: kernels/exchange.h.
    Bridge(float* host, float* device, std::uint32_t columns, float rule, bool atomic);

    void exchange();

    /// Multiplies coordinates [begin, end) of the array and of the copy by a factor, between two rounds; where nobody steps.
    void rescale(std::uint32_t begin, std::uint32_t end, float factor);

private:
    float* host_;
    float* device_;
    float rule_;
    bool atomic_;
    std::atomic<int> rescaling_{0}; // who waits to
    std::mutex one_at_a_time_;
    Stream stream_;
    PinnedArray<float> seen_, base_, delta_;
    DeviceArray<float> owed_;
};

} // namespace hogwild
