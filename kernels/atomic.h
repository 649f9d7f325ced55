// Accesses to coordinates that other workers may read and write at the same time.
//
// Everything here is memory_order_relaxed: a coordinate carries no message about other memory, only its own value, so no
// ordering is needed. Relaxed is still atomic: an aligned 4-byte float never tears, the compiler may not keep a shared
// coordinate in a register, and ThreadSanitizer sees no race.
//
// HOGWILD!'s analysis assumes more, that each component's addition is atomic (Recht et al. 2011, section 3): kernels/updates/atomic_add.h.
#pragma once

#include <atomic>

namespace hogwild {

inline float relaxed_load(const float& coordinate) {
    return std::atomic_ref<float>(const_cast<float&>(coordinate)).load(std::memory_order_relaxed);
}

inline void relaxed_store(float& coordinate, float value) {
    std::atomic_ref<float>(coordinate).store(value, std::memory_order_relaxed);
}

} // namespace hogwild
