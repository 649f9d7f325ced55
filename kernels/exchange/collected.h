// Increments that a worker has collected in coordinates of its own, handed over to the shared ones.
//
// `base` is what a coordinate was after the last time, so own - base is what was collected since:
//
//   shared += own - base;   own = base = shared
//
// by compare-and-swap: none is lost and none counts twice, whoever writes meanwhile. Where nobody has written since the
// last time, the shared coordinate becomes `own`. It does not become base + (own - base), which may round to another
// number. So one worker alone walks serial's path, however seldom it hands over.
//
// Thread-safety: any number of workers on the same shared coordinates, each with its own. Relaxed.
#pragma once

#include "kernels/atomic.h"
#include "kernels/views/prefetch.h"

#include <atomic>
#include <cstdint>

namespace hogwild {

inline void hand_over(float* shared, float* own, float* base, std::uint32_t count) {
    constexpr std::uint32_t kLine = 16, kAhead = 4 * kLine; // lines that other cores hold are on their way together
    for (std::uint32_t j = 0; j < count; ++j) {
        if (j % kLine == 0 && j + kAhead < count) prefetch_to_write(shared + j + kAhead);
        float now = relaxed_load(shared[j]);
        if (own[j] != base[j]) {
            const std::atomic_ref<float> coordinate(shared[j]);
            float next = 0;
            do {
                next = now == base[j] ? own[j] : now + (own[j] - base[j]);
            } while (!coordinate.compare_exchange_weak(now, next, std::memory_order_relaxed));
            now = next;
        }
        own[j] = base[j] = now;
    }
}

} // namespace hogwild
