// How many samples the workers of a run have stepped through, each counting its own on a line of its own.
//
// Thread-safety: `add` and `set` by the worker itself; `total` from any thread: what each worker had counted when it was looked at. Who
// sees a count sees what its worker saw before: the tables of steps and scales of every epoch that is counted.
#pragma once

#include "kernels/worker_context.h"

#include <cstdint>
#include <vector>

namespace hogwild {

class Consumed {
public:
    explicit Consumed(unsigned workers) : counts_(workers) {}

    void add(unsigned worker, std::uint64_t samples) {
        std::atomic<std::uint64_t>& count = counts_[worker].value;
        // Release, and acquire below: backoff makes an epoch's table during the run, and a scale is looked up by the total.
        count.store(count.load(std::memory_order_relaxed) + samples, std::memory_order_release);
    }

    void set(unsigned worker, std::uint64_t samples) {
        counts_[worker].value.store(samples, std::memory_order_release);
    }

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const PublishedCount& count : counts_) sum += count.value.load(std::memory_order_acquire);
        return sum;
    }

private:
    std::vector<PublishedCount> counts_;
};

} // namespace hogwild
