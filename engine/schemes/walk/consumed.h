// How many samples the workers of a run have stepped through, each counting its own on a line of its own.
//
// Thread-safety: `add` and `set` by the worker itself; `total` from any thread: what each worker had counted when it was
// looked at. Who sees a count sees what its worker saw before: the tables of steps and scales of every epoch that is counted.
#pragma once

#include "engine/record/outcome.h"
#include "kernels/worker_context.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hogwild {

class Consumed {
public:
    /// A line for each worker, all 0; borrowed.
    explicit Consumed(std::span<PublishedCount> lines) : lines_(lines) {}

    void add(unsigned worker, std::uint64_t samples) {
        // Release, and acquire below: backoff makes an epoch's table during the run, and a scale is looked up by the total.
        std::atomic<std::uint64_t>& count = lines_[worker].value;
        count.store(count.load(std::memory_order_relaxed) + samples, std::memory_order_release);
    }

    void set(unsigned worker, std::uint64_t samples) { lines_[worker].value.store(samples, std::memory_order_release); }

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const PublishedCount& line : lines_) sum += line.value.load(std::memory_order_acquire);
        return sum;
    }

    /// The count of each worker.
    std::vector<std::uint64_t> each() const {
        std::vector<std::uint64_t> counts;
        for (const PublishedCount& line : lines_) counts.push_back(line.value.load(std::memory_order_acquire));
        return counts;
    }

    /// The samples of the worker that has fewest, over the mean of all: 1 where all did as much, 0 where one did nothing. kNone of one
    /// worker, and before any sample.
    double least_share() const {
        if (lines_.size() < 2 || total() == 0) return kNone;
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (const PublishedCount& line : lines_) least = std::min(least, line.value.load(std::memory_order_acquire));
        return static_cast<double>(least) * static_cast<double>(lines_.size()) / static_cast<double>(total());
    }

private:
    std::span<PublishedCount> lines_;
};

} // namespace hogwild
