// The CPU workers: threads of our own, bound once, started once, asleep between runs.
//
// `run` wakes all of them, each runs the body with its number, and `run` returns when all are done. Everything before
// the call happened before every body; every body happened before the return. Sleeping workers use no processor time.
// Waking takes tens of microseconds; `wake` before a clock starts takes them off it.
// Thread-safety: one thread at a time may use a team, and not from inside a body. Errors: the constructor throws Error
// when a thread cannot be started or bound. `run` rethrows the first exception of a body once all bodies have ended
// (the others are dropped), and the team stays usable. So that they end, whoever waits for another worker looks at
// `failed`.
#pragma once

#include "engine/workers/placement.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace hogwild {

class WorkerTeam {
public:
    /// Starts `threads` workers, bound as engine/workers/placement.h says, and behind them `drivers` of a GPU that are not
    /// bound. At least one of both together.
    explicit WorkerTeam(unsigned threads, Pin pin = Pin::kCores, unsigned drivers = 0);
    WorkerTeam(const WorkerTeam&) = delete;
    WorkerTeam& operator=(const WorkerTeam&) = delete;
    ~WorkerTeam();

    void run(const std::function<void(unsigned worker)>& body);

    /// Returns once all workers are awake; they spin until `run`, which comes soon.
    void wake();

    /// Whether a body of this run has ended by an exception: nobody waits for it any more.
    const std::atomic<bool>& failed() const { return failed_; }

    unsigned size() const { return static_cast<unsigned>(threads_.size()); }

    /// More bound workers than usable cores (engine/machine/cores.h): waiting must yield, and timings mean little.
    bool oversubscribed() const { return oversubscribed_; }

    /// The processors (the system's numbers) that each worker is bound to; empty: not bound.
    const std::vector<std::vector<unsigned>>& places() const { return places_; }

private:
    void work(unsigned worker);
    void stop();
    void release();

    std::vector<std::vector<unsigned>> places_;
    bool oversubscribed_ = false;
    const std::function<void(unsigned)>* body_ = nullptr; // nullptr once started: leave
    std::exception_ptr first_exception_;
    std::atomic<bool> failed_{false};

    // On lines of their own: workers hammer `unfinished_` at the end of a run while others still read the rest.
    alignas(128) std::atomic<std::uint32_t> generation_{0}; // two more per run; odd: awake for it; workers sleep on it
    alignas(128) std::atomic<std::uint32_t> awake_{0};      // workers; while the generation is odd
    alignas(128) std::atomic<std::uint32_t> unfinished_{0}; // bodies still running; the caller sleeps on it

    std::vector<std::thread> threads_;
};

} // namespace hogwild
