// A barrier that spins: every worker's work before `wait` happened before every worker's work after it.
//
// Each worker announces its arrival on a cache line of its own, worker 0 gathers the announcements and opens the gate.
// No line is written by two workers, so that arrivals overlap instead of queueing for one counter. The futex of
// std::barrier costs microseconds per crossing, this about the journey of two lines.
//
// Thread-safety: exactly the workers 0 .. workers - 1 call wait(own number), each once per phase, any number of phases.
// A worker that leaves by an exception makes the others throw WorkerLeft, where the barrier knows of a word that says
// so (WorkerTeam::failed). Otherwise it leaves them waiting.
#pragma once

#include "kernels/spin_wait.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>

namespace hogwild {

/// Ends a worker that waited for one which has ended by an exception of its own.
struct WorkerLeft : std::exception {
    const char* what() const noexcept override { return "another worker has left"; }
};

class SpinBarrier {
public:
    /// `oversubscribed`: there are more workers than usable cores, so waiting workers yield early. `failed`: one of them has left.
    SpinBarrier(unsigned workers, bool oversubscribed, const std::atomic<bool>* failed = nullptr)
        : workers_(workers),
          oversubscribed_(oversubscribed),
          failed_(failed),
          arrivals_(std::make_unique<Line[]>(workers)) {}

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
        while (announced.load(std::memory_order_acquire) != phase) {
            if (failed_ != nullptr && failed_->load(std::memory_order_relaxed)) throw WorkerLeft();
            spin.pause();
        }
    }

    Line gate_;
    unsigned workers_;
    bool oversubscribed_;
    const std::atomic<bool>* failed_;
    std::unique_ptr<Line[]> arrivals_;
};

} // namespace hogwild
