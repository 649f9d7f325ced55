// Bell-shaped numbers from random bits, the same on every machine.
#pragma once

#include "kernels/numbers/random.h"

#include <cstdint>

namespace hogwild {

/// Nearly normal with mean 0 and variance 1: the sum of twelve uniform numbers (Irwin-Hall), exact in double.
inline double bell(const PhiloxCounter& a, const PhiloxCounter& b) {
    std::uint32_t sum = 0;
    for (const std::uint32_t word : {a[0], a[1], a[2], a[3], b[0], b[1]}) sum += (word & 0xFFFF) + (word >> 16);
    return (static_cast<double>(sum) + 6.0) * 0x1p-16 - 6.0;
}

} // namespace hogwild
