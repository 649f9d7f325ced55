// The row loops of steps on short numbers (kernels/patterns/low_precision_steps.h), one coordinate at a time: the reference for
// vector forms.
//
//   dot   the sixteen lanes of kernels/lanes/scalar.h, a cell as the float that it stands for
//   add   cell[index[k]] becomes its number plus scale value[k], rounded (kernels/numbers/rounding.h) by the next
//         random words. Unbiased rounding takes one word for each k, in their order. Shared rounding takes sixteen for
//         the row, and nearest none
//   copy  out[j] = what cell j stands for, of j < size
//
// Every instruction set gives the same bits and takes the same words.
// Thread-safety: cells may be read and written by others meanwhile; each access is a relaxed atomic.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/scalar.h"
#include "kernels/numbers/half.h"
#include "kernels/numbers/rounding.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild {

/// Borrowed memory: an array of short numbers, which begins on a boundary of 4 bytes and ends on one.
template <class N>
struct Cells {
    using Number = N;

    typename N::Bits* at;
    N number;

    float load(std::uint32_t j) const { return number.widened(relaxed_load(at[j])); }
    void store(std::uint32_t j, float value, std::uint32_t dither) const {
        relaxed_store(at[j], static_cast<typename N::Bits>(number.rounded(value, dither)));
    }
};

template <class Number>
struct LowPrecisionScalar {
    static float dot(const Cells<Number>& cells, const SparseRow& row) {
        float lane[kLanes] = {};
        for (std::uint32_t k = 0; k < row.size; ++k) lane[k % kLanes] += row.value[k] * cells.load(row.index[k]);
        return folded(lane);
    }

    template <Rounding kRounding>
    static void add(const Cells<Number>& cells, const SparseRow& row, float scale, Dither& dither) {
        Dither words = dither; // in a register: a store to a cell may be one to anything
        [[maybe_unused]] std::uint32_t shared[kLanes];
        if constexpr (kRounding == Rounding::kShared) {
            for (std::uint32_t& word : shared) word = words();
        }
        for (std::uint32_t k = 0; k < row.size; ++k) {
            std::uint32_t by = kHalfWay<Number>;
            if constexpr (kRounding == Rounding::kUnbiased) by = dither_of<Number>(words());
            if constexpr (kRounding == Rounding::kShared) by = dither_of<Number>(shared[k % kLanes]);
            const std::uint32_t j = row.index[k];
            cells.store(j, cells.load(j) + scale * row.value[k], by);
        }
        dither = words;
    }

    static void copy(float* out, const Cells<Number>& cells, std::uint32_t size) {
        for (std::uint32_t j = 0; j < size; ++j) out[j] = cells.load(j);
    }
};

/// For the lanes that a kernel runs on; sets without a form of their own take the scalar one.
template <class Lanes, class Number>
struct LowPrecision : LowPrecisionScalar<Number> {};

} // namespace hogwild
