// A barrier that spins: every worker's work before `wait` happened before every worker's work after it.
//
// Each worker announces its arrival on a cache line of its own, worker 0 gathers the announcements and opens the gate.
// No line is written by two workers, so that arrivals overlap instead of queueing for one counter. The futex of
// std::barrier costs microseconds per crossing, this about the journey of two lines.
//
// Thread-safety: exactly the workers 0 .. workers - 1 call wait(own number), each once per phase, any number of phases.
// A worker that leaves (by an exception, say) leaves the others waiting.
#pragma once

#include "kernels/spin.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace hogwild {

class SpinBarrier {
public:
    /// `oversubscribed`: there are more workers than usable cores, so waiting workers yield early.
    SpinBarrier(unsigned workers, bool oversubscribed)
        : workers_(workers), oversubscribed_(oversubscribed), arrivals_(std::make_unique<Line[]>(workers)) {}

    void wait(unsigned worker) {
        const std::uint32_t phase = gather(worker);
        if (worker == 0) {
            // Release: hands everybody's work, acquired above, to everybody.
            gate_.phase.store(phase, std::memory_order_release);
        } else {
            await(gate_.phase, phase);
        }
    }

    /// Half a phase, in place of `wait`: worker 0 waits for the others, who do not wait. Returns the phase's number.
    std::uint32_t gather(unsigned worker) {
        // A worker's own count of phases is its last announcement; nobody else writes it.
        const std::uint32_t phase = arrivals_[worker].phase.load(std::memory_order_relaxed) + 1;
        // Release: hands this worker's work to worker 0.
        arrivals_[worker].phase.store(phase, std::memory_order_release);
        if (worker == 0) {
            for (unsigned other = 1; other < workers_; ++other) await(arrivals_[other].phase, phase);
        }
        return phase;
    }

private:
    // Two lines, not one: the prefetcher fetches lines in pairs.
    struct alignas(128) Line {
        std::atomic<std::uint32_t> phase{0};
    };

    // Acquire: takes over the work announced with this phase. Nobody can be a phase ahead, so equality suffices, and
    // the count may wrap around.
    void await(const std::atomic<std::uint32_t>& announced, std::uint32_t phase) const {
        SpinWait spin(oversubscribed_);
        while (announced.load(std::memory_order_acquire) != phase) spin.pause();
    }

    Line gate_;
    unsigned workers_;
    bool oversubscribed_;
    std::unique_ptr<Line[]> arrivals_;
};

} // namespace hogwild
