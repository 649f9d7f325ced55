// Exchanges increments between the host's array and a GPU's copy of it, while CPU threads and streams go on
// (kernels/exchange/exchange.h). Only in builds with CUDA.
//
// A round has three steps. The copy as it is travels to the host. One thread exchanges it with the array. What the copy
// is owed travels back and is added to it by reductions. With rule 1, `atomic` conserves increments exactly, up to
// rounding. Under lazy L2 an array means scale x v, at the scale of its own moment. The host's moment is the number of
// samples that the GPU had consumed when the round began that ended last. An H200 lets the scale fall by half between
// two rounds. The copy's moment is the number of samples that threads had consumed. Threads and streams take their pace
// from that.
// Thread-safety: any thread; one round or rescaling at a time. Errors: throws Error when the device fails.
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/stream.h"
#include "engine/workers/ticket_lock.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <cstdint>
#include <span>

namespace hogwild {

/// Where samples are counted; nowhere, if nothing is given.
struct BridgeCounts {
    const unsigned long long* streams = nullptr;  // by streams, in device memory
    std::span<const PublishedCount> threads = {}; // by CPU threads
    PublishedCount* delivered = nullptr;          // out: samples of threads whose increments the copy holds
};

class Bridge {
public:
    /// Both arrays are equal. `rule`: kernels/exchange/exchange.h.
    Bridge(float* host, float* device, std::uint32_t columns, float rule, bool atomic, const BridgeCounts& counts = {});

    void exchange();

    /// The exchange where nobody steps: after it neither side owes the other anything.
    void exchange_rest();

    /// Samples of the GPU whose increments the host's array holds. Any thread.
    std::uint64_t held() const { return held_.load(std::memory_order_acquire); }

    /// Rounds so far; while nobody exchanges.
    std::uint64_t rounds() const { return rounds_; }

    /// Multiplies the array and the copy by a factor, once neither side owes the other anything; where nobody steps.
    void rescale(float factor);

private:
    void round(bool atomic);
    std::uint64_t by_threads() const;
    void fetch_count();

    float* host_;
    float* device_;
    float rule_;
    bool atomic_;
    BridgeCounts counts_;
    TicketLock one_at_a_time_; // whoever waits goes before the next round
    Stream stream_;
    PinnedArray<float> seen_, base_, delta_;
    PinnedArray<unsigned long long> count_; // of one
    std::atomic<std::uint64_t> held_{0};
    std::uint64_t delivered_ = 0; // samples of threads whose increments the copy holds
    std::uint64_t rounds_ = 0;
    DeviceArray<float> owed_;
};

} // namespace hogwild
