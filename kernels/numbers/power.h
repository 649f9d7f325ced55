// Integer powers by multiplication alone: the same bits with every C library, which pow does not promise.
#pragma once

#include "kernels/annotate.h"

#include <cstdint>

namespace hogwild {

HOGWILD_HOST_DEVICE inline double power(double base, std::uint64_t exponent) {
    double result = 1.0;
    for (; exponent > 0; exponent /= 2, base *= base) {
        if (exponent % 2 == 1) result *= base;
    }
    return result;
}

} // namespace hogwild
