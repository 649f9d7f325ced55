// Accesses to coordinates that other workers may read and write at the same time.
//
// Everything here is memory_order_relaxed: a coordinate carries no message about other memory, only its own value, so no
// ordering is needed. Relaxed is still atomic: an aligned number never tears, the compiler may not keep a shared
// coordinate in a register, and ThreadSanitizer sees no race.
//
// HOGWILD!'s analysis assumes more, that each component's addition is atomic (Recht et al. 2011, section 3):
// kernels/updates/atomic_add.h.
#pragma once

#include <atomic>
#include <concepts>
#include <type_traits>

namespace hogwild {

/// A float, a double, or the bits of a shorter number.
template <class T>
concept Coordinate = std::floating_point<T> || std::unsigned_integral<T>;

template <Coordinate T>
inline T relaxed_load(const T& coordinate) {
    return std::atomic_ref<T>(const_cast<T&>(coordinate)).load(std::memory_order_relaxed);
}

template <Coordinate T>
inline void relaxed_store(T& coordinate, std::type_identity_t<T> value) {
    std::atomic_ref<T>(coordinate).store(value, std::memory_order_relaxed);
}

/// Adds, and loses nothing that others add.
template <std::floating_point Real>
inline void relaxed_add(Real& coordinate, std::type_identity_t<Real> increment) {
    std::atomic_ref<Real>(coordinate).fetch_add(increment, std::memory_order_relaxed);
}

/// Stores, and returns what was there: of workers that store at the same time each gets another's value, or the first.
template <std::floating_point Real>
inline Real relaxed_exchange(Real& coordinate, std::type_identity_t<Real> value) {
    return std::atomic_ref<Real>(coordinate).exchange(value, std::memory_order_relaxed);
}

} // namespace hogwild
