// Sums of rows of weights, for many outputs at once: what the layers of a network are made of, and the form of reference.
//
//   out[m * out_stride + n] = initial(m, n) + sum over k = 0 .. terms - 1, rising, of factor(m, k) * weight(k, n)
//
//   initial(m, n) = initial[m * initial_stride + n]      stride 0: one row, a layer's biases, for all m; null: zeros;
//                                                        `out` itself with its stride: the sums are added to what out holds
//   factor(m, k)  = first[m * row + k / length * run + k % length * step]
//                                                        a matrix, its transpose, or windows that overlap on a line of a map
//   weight(k, n)  = rows[k * rows_stride + n], or, transposed, rows[n * rows_stride + k]
//
// Every output is one chain of fused multiply-adds in the order of k. So every instruction set gives the same bits, and
// sums may be cut anywhere in k and go on from `out`. (All else in kernels/lanes is unfused.)
//
// A listed sum has only the terms that a list names, which is how inputs that are mostly zero are multiplied:
//
//   out[n] = initial[n] + sum over i = 0 .. count - 1, rising, of factor[i] * rows[index[i] * rows_stride + n]
//
// Only factors of zero are left out. So numbers are those of the whole sum unless a weight left out is infinite or NaN.
// The bits of all that is not zero are the same too. A zero may differ in its sign where a chain has come to -0 (an
// initial -0, or an underflow).
//
// And a transposing copy: own[j * own_stride + i] = shared[i * stride + j].
//
// Thread-safety: rows, initial and shared may be written by others meanwhile. Each access to them is a relaxed atomic;
// an element may be read more than once. factor, index and out are the caller's own; out overlaps nothing but an equal
// `initial`. Any size may be 0.
// Memory: the vector forms take up to 64 KiB of the stack.
#pragma once

#include "kernels/atomic.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace hogwild {

struct Factors {
    const float* first = nullptr;
    std::size_t row = 0;      // from an output's to the next one's
    std::size_t step = 1;     // from a term to the next of its run
    std::uint32_t length = 1; // terms of a run, at least 1; of a matrix all terms
    std::size_t run = 0;      // from the beginning of a run to that of the next

    const float* at(std::uint32_t m, std::uint32_t k) const {
        return first + m * row + k / length * run + k % length * step;
    }
};

struct DenseSums {
    float* out = nullptr;
    std::size_t out_stride = 0;
    const float* initial = nullptr;
    std::size_t initial_stride = 0;
    Factors factors;
    const float* rows = nullptr;
    std::size_t rows_stride = 0;
    bool transposed = false;
    std::uint32_t outs = 0;
    std::uint32_t columns = 0;
    std::uint32_t terms = 0;

    const float* weight(std::uint32_t k, std::uint32_t n) const {
        return transposed ? rows + n * rows_stride + k : rows + k * rows_stride + n;
    }
};

struct ListedSum {
    float* out = nullptr;
    const float* initial = nullptr;
    const std::uint32_t* index = nullptr;
    const float* factor = nullptr;
    const float* rows = nullptr;
    std::size_t rows_stride = 0;
    std::uint32_t count = 0;
    std::uint32_t columns = 0;
};

struct ScalarDense {
    static void sums(const DenseSums& s) {
        for (std::uint32_t m = 0; m < s.outs; ++m) {
            float* const out = s.out + m * s.out_stride;
            begin(out, s.initial == nullptr ? nullptr : s.initial + m * s.initial_stride, s.columns);
            for (std::uint32_t k = 0; k < s.terms; ++k) {
                const float factor = *s.factors.at(m, k);
                for (std::uint32_t n = 0; n < s.columns; ++n)
                    out[n] = std::fma(factor, relaxed_load(*s.weight(k, n)), out[n]);
            }
        }
    }

    static void listed(const ListedSum& s) {
        begin(s.out, s.initial, s.columns);
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const float* const row = s.rows + s.index[i] * s.rows_stride;
            for (std::uint32_t n = 0; n < s.columns; ++n)
                s.out[n] = std::fma(s.factor[i], relaxed_load(row[n]), s.out[n]);
        }
    }

    /// own[j * own_stride + i] = shared[i * stride + j] for i < rows, j < columns.
    static void transpose(float* own, std::size_t own_stride, const float* shared, std::size_t stride,
                          std::uint32_t rows, std::uint32_t columns) {
        for (std::uint32_t i = 0; i < rows; ++i) {
            for (std::uint32_t j = 0; j < columns; ++j) own[j * own_stride + i] = relaxed_load(shared[i * stride + j]);
        }
    }

private:
    static void begin(float* out, const float* initial, std::uint32_t columns) {
        for (std::uint32_t n = 0; n < columns; ++n) out[n] = initial == nullptr ? 0.0f : relaxed_load(initial[n]);
    }
};

} // namespace hogwild
