// A lock that is given in the order of asking: who releases it and asks anew goes behind those that wait.
//
// For holders of microseconds to milliseconds that come again at once; who waits gives its processor away.
// Thread-safety: any thread. Source: Mellor-Crummey and Scott, "Algorithms for Scalable Synchronization on Shared-Memory
// Multiprocessors", 1991, section 2.2.
#pragma once

#include "kernels/spin_wait.h"

#include <atomic>
#include <cstdint>

namespace hogwild {

class TicketLock {
public:
    void lock() {
        const std::uint32_t ticket = next_.fetch_add(1, std::memory_order_relaxed);
        // Acquire: what holders before wrote.
        for (SpinWait wait(true); serving_.load(std::memory_order_acquire) != ticket;) wait.pause();
    }

    void unlock() { serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

private:
    std::atomic<std::uint32_t> next_{0};
    std::atomic<std::uint32_t> serving_{0};
};

} // namespace hogwild
