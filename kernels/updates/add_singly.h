// Rows, dense rows and pairs of rows coordinate by coordinate: for policies without a form for vectors.
//
// A base of such a policy, whose own `add` it calls. Thread-safety: that of `add`.
#pragma once

#include "kernels/atomic.h"
#include "kernels/views/row_step.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild {

template <class Update>
struct AddSingly {
    template <class Lanes>
    void add_row(float* weights, const SparseRow& row, float scale) const {
        for (std::uint32_t k = 0; k < row.size; ++k) add(weights[row.index[k]], scale * row.value[k]);
    }

    template <class Lanes>
    void add_dense(float* weights, const float* row, std::uint32_t size, float scale) const {
        for (std::uint32_t k = 0; k < size; ++k) add(weights[k], scale * row[k]);
    }

    /// a += across_a b + along_a a and b += across_b a + along_b b, both from one reading.
    template <class Lanes>
    void add_pair(float* a, float* b, std::uint32_t size, const RowStep& of_a, const RowStep& of_b) const {
        for (std::uint32_t k = 0; k < size; ++k) {
            const float x = relaxed_load(a[k]), y = relaxed_load(b[k]);
            add(a[k], of_a.of(y, x));
            add(b[k], of_b.of(x, y));
        }
    }

private:
    void add(float& coordinate, float increment) const { static_cast<const Update&>(*this).add(coordinate, increment); }
};

} // namespace hogwild
