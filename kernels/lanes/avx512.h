// The row loops of kernels/lanes/scalar.h in AVX-512, with the same bits.
//
// Hardware contract: an aligned 4-byte element of a gather or a scatter is read or written whole, never torn, like a
// plain aligned move. Others may see the elements in any order. That is what a relaxed atomic load and store promise.
// The intrinsics are opaque to the compiler, which can therefore not merge, repeat or drop an access. Source: Intel 64
// and IA-32 Architectures Software Developer's Manual: volume 3, 9.1.1 (atomicity of aligned accesses), and volume 2,
// VPGATHERDD and VSCATTERDPS (element by element).
#pragma once

#include "kernels/lanes/avx512_dense.h"
#include "kernels/lanes/avx512_moves.h"
#include "kernels/lanes/avx512_own_rows.h"
#include "kernels/lanes/scalar.h"
#include "kernels/views/row_step.h"
#include "kernels/views/sparse_view.h"

#include <immintrin.h>

namespace hogwild {

struct Avx512Lanes : private Avx512Moves {
    static constexpr std::string_view name = "avx512";
    using Dense = Avx512Dense;

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static float dot(const float* weights, const SparseRow& row) {
        __m512 sum = _mm512_setzero_ps();
        std::uint32_t k = 0;
        for (; k + kLanes <= row.size; k += kLanes) {
            const __m512i index = _mm512_loadu_si512(row.index + k);
            const __m512 value = _mm512_loadu_ps(row.value + k);
            sum = _mm512_add_ps(sum, _mm512_mul_ps(value, gather(kAll, index, weights)));
        }
        if (k < row.size) {
            const __mmask16 rest = tail(row.size - k);
            const __m512i index = _mm512_maskz_loadu_epi32(rest, row.index + k);
            const __m512 value = _mm512_maskz_loadu_ps(rest, row.value + k);
            const __m512 weight = gather(rest, index, weights);
            sum = _mm512_mask_add_ps(sum, rest, sum, _mm512_mul_ps(value, weight));
        }
        return folded(sum);
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static float dot(const float* a, const float* b,
                                                                           std::uint32_t size) {
        __m512 sum = _mm512_setzero_ps();
        std::uint32_t k = 0;
        for (; k + kLanes <= size; k += kLanes) sum = _mm512_add_ps(sum, _mm512_mul_ps(load(a + k), load(b + k)));
        if (k < size) {
            const __mmask16 rest = tail(size - k);
            sum = _mm512_mask_add_ps(sum, rest, sum, _mm512_mul_ps(load(rest, a + k), load(rest, b + k)));
        }
        return folded(sum);
    }

    template <Write kWrite = Write::kStore>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void add(float* weights, const SparseRow& row,
                                                                          float scale) {
        const __m512 factor = _mm512_set1_ps(scale);
        std::uint32_t k = 0;
        for (; k + kLanes <= row.size; k += kLanes) {
            const __m512i index = _mm512_loadu_si512(row.index + k);
            const __m512 increment = _mm512_mul_ps(factor, _mm512_loadu_ps(row.value + k));
            const __m512 sum = _mm512_add_ps(gather(kAll, index, weights), increment);
            if constexpr (kWrite == Write::kStore) {
                _mm512_i32scatter_ps(weights, index, sum, 4);
            } else {
                asm volatile("" : : "v"(sum));
            }
        }
        if (k < row.size) {
            const __mmask16 rest = tail(row.size - k);
            const __m512i index = _mm512_maskz_loadu_epi32(rest, row.index + k);
            const __m512 increment = _mm512_mul_ps(factor, _mm512_maskz_loadu_ps(rest, row.value + k));
            const __m512 weight = gather(rest, index, weights);
            const __m512 sum = _mm512_add_ps(weight, increment);
            if constexpr (kWrite == Write::kStore) {
                _mm512_mask_i32scatter_ps(weights, rest, index, sum, 4);
            } else {
                asm volatile("" : : "v"(sum));
            }
        }
    }

    template <Write kWrite = Write::kStore>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    add_pair(float* a, float* b, std::uint32_t size, const RowStep& of_a, const RowStep& of_b) {
        const __m512 other_a = _mm512_set1_ps(of_a.across), own_a = _mm512_set1_ps(of_a.along);
        const __m512 other_b = _mm512_set1_ps(of_b.across), own_b = _mm512_set1_ps(of_b.along);
        std::uint32_t k = 0;
        for (; k + kLanes <= size; k += kLanes) {
            const __m512 x = load(a + k), y = load(b + k);
            const __m512 next_x = moved(x, y, other_a, own_a), next_y = moved(y, x, other_b, own_b);
            if constexpr (kWrite == Write::kStore) {
                store(a + k, next_x);
                store(b + k, next_y);
            } else {
                asm volatile("" : : "v"(next_x), "v"(next_y));
            }
        }
        if (k < size) {
            const __mmask16 rest = tail(size - k);
            const __m512 x = load(rest, a + k), y = load(rest, b + k);
            const __m512 next_x = moved(x, y, other_a, own_a), next_y = moved(y, x, other_b, own_b);
            if constexpr (kWrite == Write::kStore) {
                store(rest, a + k, next_x);
                store(rest, b + k, next_y);
            } else {
                asm volatile("" : : "v"(next_x), "v"(next_y));
            }
        }
    }

    template <Write kWrite = Write::kStore>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void add_dense(float* weights, const float* row,
                                                                                std::uint32_t size, float scale) {
        const __m512 factor = _mm512_set1_ps(scale);
        std::uint32_t k = 0;
        for (; k + kLanes <= size; k += kLanes) {
            const __m512 sum = _mm512_add_ps(load(weights + k), _mm512_mul_ps(factor, _mm512_loadu_ps(row + k)));
            if constexpr (kWrite == Write::kStore) {
                store(kAll, weights + k, sum);
            } else {
                asm volatile("" : : "v"(sum));
            }
        }
        if (k == size) return;
        const __mmask16 rest = tail(size - k);
        const __m512 sum =
            _mm512_add_ps(load(rest, weights + k), _mm512_mul_ps(factor, _mm512_maskz_loadu_ps(rest, row + k)));
        if constexpr (kWrite == Write::kStore) {
            store(rest, weights + k, sum);
        } else {
            asm volatile("" : : "v"(sum));
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void copy_row(float* own, const float* shared,
                                                                               std::uint32_t size) {
        std::uint32_t k = 0;
        for (; k + kLanes <= size; k += kLanes) _mm512_store_ps(own + k, load(shared + k));
        if (k < size) _mm512_store_ps(own + k, load(tail(size - k), shared + k));
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void store_row(float* shared, const float* own,
                                                                                std::uint32_t size) {
        std::uint32_t k = 0;
        for (; k + kLanes <= size; k += kLanes) store(shared + k, _mm512_load_ps(own + k));
        if (k < size) store(tail(size - k), shared + k, _mm512_load_ps(own + k));
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    products(const float* left, std::uint32_t left_rows, const float* right, std::uint32_t right_rows,
             std::uint32_t stride, float* out) {
        OwnRows::products(left, left_rows, right, right_rows, stride, out);
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    sum_rows(float* out, const float* rows, std::uint32_t count, std::uint32_t stride, const float* factor,
             std::uint32_t apart) {
        OwnRows::sum_rows(out, rows, count, stride, factor, apart);
    }

private:
    using OwnRows = Avx512OwnRows;

    /// own + (across other + along own)
    [[gnu::target("avx512f")]] static __m512 moved(__m512 own, __m512 other, __m512 across, __m512 along) {
        return _mm512_add_ps(own, _mm512_add_ps(_mm512_mul_ps(across, other), _mm512_mul_ps(along, own)));
    }

    /// Zero where the mask is: the form without a mask starts from an undefined register, which gcc 12 warns about.
    [[gnu::target("avx512f")]] static __m512 gather(__mmask16 mask, __m512i index, const float* weights) {
        return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, index, weights, 4);
    }
};

} // namespace hogwild
