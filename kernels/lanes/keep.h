// Makes the compiler compute a value that nobody uses.
#pragma once

namespace hogwild {

/// Whether a row loop stores its sums or only computes them.
enum class Write { kStore, kDiscard };

inline void keep(float value) { asm volatile("" : : "x"(value)); }

} // namespace hogwild
