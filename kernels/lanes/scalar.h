// The row loops of a step, sixteen lanes, one coordinate at a time: the reference for the vector forms.
//
//   dot: lane l sums value[k] * weights[index[k]] over k = l, l + 16, ...; the lanes are then folded 8, 4, 2, 1.
//   add: weights[index[k]] += scale * value[k], by a relaxed load and a relaxed store.
//
// *Own* rows are copies of shared ones that only this worker sees. A row is a multiple of 16 floats, zero behind its
// size, and begins on a cache line. A sum of rows adds its terms in their order, beginning with the first product.
//
// This shape is the contract of every `Lanes`. Multiplications and additions are separate (no FMA) and their order is
// fixed, so every instruction set gives the same bits. Rows name a coordinate at most once. Sums of many rows for many
// outputs (`Dense`) have a contract of their own, kernels/lanes/dense.h.
//
// Thread-safety: weights may be read and written by others meanwhile; each access is a relaxed atomic.
#pragma once

#include "kernels/atomic.h"
#include "kernels/lanes/compute_anyway.h"
#include "kernels/lanes/dense.h"
#include "kernels/views/row_step.h"
#include "kernels/views/sparse_view.h"

#include <string_view>

namespace hogwild {

inline constexpr std::uint32_t kLanes = 16;

/// From an own row to the next.
constexpr std::uint32_t own_stride(std::uint32_t size) { return (size + kLanes - 1) / kLanes * kLanes; }

/// The lanes' sum, folded in halves, of which nothing else is left.
template <class Real>
Real folded(Real* lane) {
    for (std::uint32_t width = kLanes / 2; width > 0; width /= 2) {
        for (std::uint32_t l = 0; l < width; ++l) lane[l] += lane[l + width];
    }
    return lane[0];
}

struct ScalarLanes {
    static constexpr std::string_view name = "scalar";
    using Dense = ScalarDense;

    static float dot(const float* weights, const SparseRow& row) {
        float lane[kLanes] = {};
        for (std::uint32_t k = 0; k < row.size; ++k) {
            lane[k % kLanes] += row.value[k] * relaxed_load(weights[row.index[k]]);
        }
        return folded(lane);
    }

    /// The product of two ranges of coordinates.
    static float dot(const float* a, const float* b, std::uint32_t size) {
        float lane[kLanes] = {};
        for (std::uint32_t k = 0; k < size; ++k) lane[k % kLanes] += relaxed_load(a[k]) * relaxed_load(b[k]);
        return folded(lane);
    }

    template <Write kWrite = Write::kStore>
    static void add(float* weights, const SparseRow& row, float scale) {
        for (std::uint32_t k = 0; k < row.size; ++k) {
            float& coordinate = weights[row.index[k]];
            const float sum = relaxed_load(coordinate) + scale * row.value[k];
            if constexpr (kWrite == Write::kStore) {
                relaxed_store(coordinate, sum);
            } else {
                keep(sum);
            }
        }
    }

    /// a += across_a b + along_a a and b += across_b a + along_b b, both from one reading.
    template <Write kWrite = Write::kStore>
    static void add_pair(float* a, float* b, std::uint32_t size, const RowStep& of_a, const RowStep& of_b) {
        for (std::uint32_t k = 0; k < size; ++k) {
            const float x = relaxed_load(a[k]), y = relaxed_load(b[k]);
            const float next_x = x + of_a.of(y, x), next_y = y + of_b.of(x, y);
            if constexpr (kWrite == Write::kStore) {
                relaxed_store(a[k], next_x);
                relaxed_store(b[k], next_y);
            } else {
                keep(next_x);
                keep(next_y);
            }
        }
    }

    /// Dense rows: weights[k] += scale * row[k].
    template <Write kWrite = Write::kStore>
    static void add_dense(float* weights, const float* row, std::uint32_t size, float scale) {
        for (std::uint32_t k = 0; k < size; ++k) {
            const float sum = relaxed_load(weights[k]) + scale * row[k];
            if constexpr (kWrite == Write::kStore) {
                relaxed_store(weights[k], sum);
            } else {
                keep(sum);
            }
        }
    }

    /// An own row of `size` shared coordinates.
    static void copy_row(float* own, const float* shared, std::uint32_t size) {
        for (std::uint32_t k = 0; k < own_stride(size); ++k) own[k] = k < size ? relaxed_load(shared[k]) : 0.0f;
    }

    /// Back from there: `size` coordinates of an own row.
    static void store_row(float* shared, const float* own, std::uint32_t size) {
        for (std::uint32_t k = 0; k < size; ++k) relaxed_store(shared[k], own[k]);
    }

    /// out[j * left_rows + i] = left[i] . right[j], of own rows, each `stride` behind the one before.
    static void products(const float* left, std::uint32_t left_rows, const float* right, std::uint32_t right_rows,
                         std::uint32_t stride, float* out) {
        for (std::uint32_t i = 0; i < left_rows; ++i) {
            for (std::uint32_t j = 0; j < right_rows; ++j) {
                float lane[kLanes] = {};
                const float *a = left + std::size_t{i} * stride, *b = right + std::size_t{j} * stride;
                for (std::uint32_t k = 0; k < stride; ++k) lane[k % kLanes] += a[k] * b[k];
                out[j * left_rows + i] = folded(lane);
            }
        }
    }

    /// out[k] = sum over r < count of factor[r * apart] * rows[r * stride + k], of own rows; count is at least 1.
    static void sum_rows(float* out, const float* rows, std::uint32_t count, std::uint32_t stride, const float* factor,
                         std::uint32_t apart) {
        for (std::uint32_t k = 0; k < stride; ++k) {
            float sum = factor[0] * rows[k];
            for (std::uint32_t r = 1; r < count; ++r)
                sum += factor[std::size_t{r} * apart] * rows[std::size_t{r} * stride + k];
            out[k] = sum;
        }
    }
};

} // namespace hogwild
