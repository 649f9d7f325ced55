// Both rows of a pair from one reading, coordinate by coordinate: for policies without a form for vectors.
#pragma once

#include "kernels/atomic.h"

#include <cstdint>

namespace hogwild {

/// a += across b + along a and b += across a + along b, by the policy's `add`.
template <class Update>
void add_pair_singly(const Update& update, float* a, float* b, std::uint32_t size, float across, float along) {
    for (std::uint32_t k = 0; k < size; ++k) {
        const float x = relaxed_load(a[k]), y = relaxed_load(b[k]);
        update.add(a[k], across * y + along * x);
        update.add(b[k], across * x + along * y);
    }
}

} // namespace hogwild
