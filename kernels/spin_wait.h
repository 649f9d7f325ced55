// Waiting for another core without leaving this one.
//
// A waiting worker first pauses, which takes nanoseconds and no system call. Only a wait much longer than a line's
// journey between cores gives the processor away. With more workers than cores that must come early: the one that is
// waited for may need this very core.
#pragma once

#include <cstdint>

#include <sched.h>

namespace hogwild {

/// Tells the core that this is a spinning loop: it saves power and leaves its sibling thread the execution units.
inline void cpu_relax() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
}

/// One wait: `SpinWait wait(oversubscribed); while (!ready()) wait.pause();`. Local to its thread.
class SpinWait {
public:
    explicit SpinWait(bool oversubscribed) : pauses_left_(oversubscribed ? kFewPauses : kManyPauses) {}

    void pause() {
        if (pauses_left_ > 0) {
            --pauses_left_;
            cpu_relax();
        } else {
            sched_yield();
        }
    }

private:
    static constexpr std::uint32_t kFewPauses = 32;
    // Some 100 us: even on a free machine something else may be running where the awaited worker should be.
    static constexpr std::uint32_t kManyPauses = 1U << 11;

    std::uint32_t pauses_left_;
};

} // namespace hogwild
