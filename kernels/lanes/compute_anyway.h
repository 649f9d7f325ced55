// Makes the compiler compute a value: one that nobody uses, or one without asking how it came about.
#pragma once

namespace hogwild {

/// Whether a row loop stores its sums or only computes them.
enum class Write { kStore, kDiscard };

inline void keep(float value) { asm volatile("" : : "x"(value)); }

/// The value, of which the compiler knows nothing: of the lesser of two it makes no branch for either.
inline float opaque(float value) {
    asm("" : "+x"(value));
    return value;
}

} // namespace hogwild
