// Copies coordinates that others may be writing: no torn element, no order between elements.
//
// Hardware contract: an aligned 16-byte load (SSE, which every x86-64 has) takes each of its four aligned elements whole. The
// loads are written as instructions, because a compiler may turn a loop of the intrinsic into a memcpy, which promises
// nothing. Under ThreadSanitizer every load is an atomic.
#pragma once

#include "kernels/atomic.h"
#include "kernels/thread_sanitizer.h"

#include <cstddef>

#if defined(__x86_64__) && !defined(HOGWILD_THREAD_SANITIZER)
#include <immintrin.h>
#endif

namespace hogwild {

/// out[i] = shared[i] for i < size; `shared` is 16-byte aligned.
inline void copy_shared(float* out, const float* shared, std::size_t size) {
    std::size_t i = 0;
#if defined(__x86_64__) && !defined(HOGWILD_THREAD_SANITIZER)
    for (; i + 4 <= size; i += 4) {
        __m128 four;
        asm volatile("movaps %1, %0" : "=x"(four) : "m"(*reinterpret_cast<const __m128*>(shared + i)));
        _mm_storeu_ps(out + i, four);
    }
#endif
    for (; i < size; ++i) out[i] = relaxed_load(shared[i]);
}

/// Copies doubles that others may write, each rounded to a float.
inline void copy_shared(float* out, const double* shared, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<float>(relaxed_load(shared[i]));
}

} // namespace hogwild
