// Both rows of a pair from one reading, coordinate by coordinate: for policies without a form for vectors.
#pragma once

#include "kernels/atomic.h"
#include "kernels/row_step.h"

#include <cstdint>

namespace hogwild {

/// a += across_a b + along_a a and b += across_b a + along_b b, by the policy's `add`.
template <class Update>
void add_pair_singly(const Update& update, float* a, float* b, std::uint32_t size, const RowStep& of_a,
                     const RowStep& of_b) {
    for (std::uint32_t k = 0; k < size; ++k) {
        const float x = relaxed_load(a[k]), y = relaxed_load(b[k]);
        update.add(a[k], of_a.of(y, x));
        update.add(b[k], of_b.of(x, y));
    }
}

} // namespace hogwild
