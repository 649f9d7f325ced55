// Copies coordinates that others may be writing: no torn element, no order between elements.
// Hardware contract: that of kernels/lanes/avx512.h, for SSE moves, which every x86-64 has.
#pragma once

#include "kernels/atomic.h"

#include <cstddef>

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#include <immintrin.h>
#endif

namespace hogwild {

/// out[i] = shared[i] for i < size; `shared` is 16-byte aligned.
inline void copy_shared(float* out, const float* shared, std::size_t size) {
    std::size_t i = 0;
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    for (; i + 4 <= size; i += 4) _mm_storeu_ps(out + i, _mm_load_ps(shared + i));
#endif
    for (; i < size; ++i) out[i] = relaxed_load(shared[i]);
}

} // namespace hogwild
