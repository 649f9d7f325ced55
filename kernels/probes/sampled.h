// Staleness, sampled: fit for timed runs.
//
// Every worker counts its writing steps on a cache line of its own. On one step in `sampled_every` a worker sums the others'
// counters at its read and again at its write; the difference is that step's staleness. Cost: one store to an own line
// per step, and 2 (M - 1) line transfers per sampled step.
#pragma once

#include "kernels/worker_context.h"

#include <string_view>

namespace hogwild {

class SampledProbe {
public:
    static constexpr std::string_view name = "sampled";

    explicit SampledProbe(WorkerContext& context)
        : context_(context),
          own_(context.published[context.worker].value),
          steps_(own_.load(std::memory_order_relaxed)) {}

    void read() {
        sampling_ = steps_ % context_.sampled_every == context_.sampled_every / 2;
        if (sampling_) others_at_read_ = others();
    }

    void computed() {}

    void wrote(const auto&, const auto&) {
        if (sampling_) context_.staleness->add(others() - others_at_read_);
        own_.store(++steps_, std::memory_order_relaxed);
    }

private:
    std::uint64_t others() const {
        std::uint64_t sum = 0;
        for (std::uint32_t w = 0; w < context_.workers; ++w) {
            if (w != context_.worker) sum += context_.published[w].value.load(std::memory_order_relaxed);
        }
        return sum;
    }

    WorkerContext& context_;
    std::atomic<std::uint64_t>& own_;
    std::uint64_t steps_;
    std::uint64_t others_at_read_ = 0;
    bool sampling_ = false;
};

} // namespace hogwild
