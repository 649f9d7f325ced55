// Increments of four neighbouring coordinates by one indivisible operation, where the machine has one: 16 bytes compared and
// swapped. It costs about what a single coordinate's add takes.
//
// Each coordinate by itself is incremented as by an atomic add. Whoever adds to one of the four in between makes the
// swap fail and be tried again. (Under ThreadSanitizer the four are added one by one: gcc's library swaps 16 bytes
// under a mutex that other adds know nothing of.) Thread-safety: any.
#pragma once

#include "kernels/atomic.h"
#include "kernels/thread_sanitizer.h"

#include <atomic>
#include <cstdint>

#if defined(__x86_64__) && !defined(HOGWILD_THREAD_SANITIZER)
#define HOGWILD_HAS_QUADS
#include <emmintrin.h>
/// For functions that add quads, and what these are inlined into. Every processor with AVX has the instruction.
#define HOGWILD_QUADS __attribute__((target("cx16")))
#else
#define HOGWILD_QUADS
#endif

namespace hogwild {

using Quad = float __attribute__((vector_size(16)));

inline bool is_quad_aligned(const float* coordinates) {
    return reinterpret_cast<std::uintptr_t>(coordinates) % sizeof(Quad) == 0;
}

#ifdef HOGWILD_HAS_QUADS

namespace quads {

__extension__ using Bits = unsigned __int128 __attribute__((may_alias));
using Half = std::uint64_t __attribute__((may_alias));

/// Neither half tears; the two may be of different moments.
inline Bits relaxed_load(const float* coordinates) {
    const auto* const halves = reinterpret_cast<const Half*>(coordinates);
    const Bits low = __atomic_load_n(halves, __ATOMIC_RELAXED), high = __atomic_load_n(halves + 1, __ATOMIC_RELAXED);
    return high << 64 | low;
}

// By way of registers: a cast by way of memory would wait for its own stores.
inline Quad values(Bits bits) {
    return _mm_castsi128_ps(_mm_set_epi64x(static_cast<long long>(bits >> 64), static_cast<long long>(bits)));
}

inline Bits bits(Quad values) {
    const __m128i all = _mm_castps_si128(values);
    const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(all)),
               high = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(all, all)));
    return Bits{high} << 64 | low;
}

} // namespace quads

/// coordinates[k] += by[k] for k < 4; returns the values after it. Precondition: is_quad_aligned.
HOGWILD_QUADS inline Quad add_quad(float* coordinates, Quad by) {
    for (quads::Bits before = quads::relaxed_load(coordinates);;) {
        const Quad after = quads::values(before) + by;
        const quads::Bits found =
            __sync_val_compare_and_swap(reinterpret_cast<quads::Bits*>(coordinates), before, quads::bits(after));
        if (found == before) return after;
        before = found;
    }
}

#else

inline Quad add_quad(float* coordinates, Quad by) {
    Quad after;
    for (unsigned k = 0; k < 4; ++k) {
        after[k] = std::atomic_ref<float>(coordinates[k]).fetch_add(by[k], std::memory_order_relaxed) + by[k];
    }
    return after;
}

#endif

} // namespace hogwild
