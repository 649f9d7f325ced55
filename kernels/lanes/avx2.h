// The row loops of kernels/lanes/scalar.h in AVX2, two registers of eight lanes, with the same bits.
// Hardware contract: that of kernels/lanes/avx512.h for gathers; stores go element by element (AVX2 has no scatter).
#pragma once

#include "kernels/lanes/avx2_dense.h"
#include "kernels/lanes/scalar.h"
#include "kernels/views/row_step.h"
#include "kernels/views/sparse_view.h"

#include <immintrin.h>

namespace hogwild {

struct Avx2Lanes {
    static constexpr std::string_view name = "avx2";
    using Dense = Avx2Dense;

    [[gnu::target("avx2")]] static float dot(const float* weights, const SparseRow& row) {
        __m256 low = _mm256_setzero_ps();
        __m256 high = _mm256_setzero_ps();
        std::uint32_t k = 0;
        for (; k + kLanes <= row.size; k += kLanes) {
            low = _mm256_add_ps(low, products(weights, row, k));
            high = _mm256_add_ps(high, products(weights, row, k + 8));
        }
        alignas(32) float lane[kLanes];
        _mm256_store_ps(lane, low);
        _mm256_store_ps(lane + 8, high);
        for (std::uint32_t l = 0; k + l < row.size; ++l) {
            lane[l] += row.value[k + l] * relaxed_load(weights[row.index[k + l]]);
        }
        return folded(_mm256_load_ps(lane), _mm256_load_ps(lane + 8));
    }

    [[gnu::target("avx2")]] static float dot(const float* a, const float* b, std::uint32_t size) {
        __m256 low = _mm256_setzero_ps();
        __m256 high = _mm256_setzero_ps();
        std::uint32_t k = 0;
        for (; k + kLanes <= size; k += kLanes) {
            low = _mm256_add_ps(low, _mm256_mul_ps(load(a + k), load(b + k)));
            high = _mm256_add_ps(high, _mm256_mul_ps(load(a + k + 8), load(b + k + 8)));
        }
        if (k < size) {
            alignas(32) float lane[kLanes];
            _mm256_store_ps(lane, low);
            _mm256_store_ps(lane + 8, high);
            for (std::uint32_t l = 0; k + l < size; ++l) lane[l] += relaxed_load(a[k + l]) * relaxed_load(b[k + l]);
            low = _mm256_load_ps(lane);
            high = _mm256_load_ps(lane + 8);
        }
        return folded(low, high);
    }

    template <Write kWrite = Write::kStore>
    static void add(float* weights, const SparseRow& row, float scale) {
        ScalarLanes::add<kWrite>(weights, row, scale);
    }

    template <Write kWrite = Write::kStore>
    [[gnu::target("avx2")]] static void add_pair(float* a, float* b, std::uint32_t size, const RowStep& of_a,
                                                 const RowStep& of_b) {
        const __m256 other_a = _mm256_set1_ps(of_a.across), own_a = _mm256_set1_ps(of_a.along);
        const __m256 other_b = _mm256_set1_ps(of_b.across), own_b = _mm256_set1_ps(of_b.along);
        std::uint32_t k = 0;
        for (; k + 8 <= size; k += 8) {
            const __m256 x = load(a + k), y = load(b + k);
            const __m256 next_x = _mm256_add_ps(x, _mm256_add_ps(_mm256_mul_ps(other_a, y), _mm256_mul_ps(own_a, x)));
            const __m256 next_y = _mm256_add_ps(y, _mm256_add_ps(_mm256_mul_ps(other_b, x), _mm256_mul_ps(own_b, y)));
            if constexpr (kWrite == Write::kStore) {
                store(a + k, next_x);
                store(b + k, next_y);
            } else {
                asm volatile("" : : "x"(next_x), "x"(next_y));
            }
        }
        ScalarLanes::add_pair<kWrite>(a + k, b + k, size - k, of_a, of_b);
    }

    template <Write kWrite = Write::kStore>
    [[gnu::target("avx2")]] static void add_dense(float* weights, const float* row, std::uint32_t size, float scale) {
        const __m256 factor = _mm256_set1_ps(scale);
        std::uint32_t k = 0;
        for (; k + 8 <= size; k += 8) {
            const __m256 sum = _mm256_add_ps(load(weights + k), _mm256_mul_ps(factor, _mm256_loadu_ps(row + k)));
            if constexpr (kWrite == Write::kStore) {
                store(weights + k, sum);
            } else {
                asm volatile("" : : "x"(sum));
            }
        }
        ScalarLanes::add_dense<kWrite>(weights + k, row + k, size - k, scale);
    }

    [[gnu::target("avx2")]] static void copy_row(float* own, const float* shared, std::uint32_t size) {
        std::uint32_t k = 0;
        for (; k + 8 <= size; k += 8) _mm256_store_ps(own + k, load(shared + k));
        for (; k < own_stride(size); ++k) own[k] = k < size ? relaxed_load(shared[k]) : 0.0f;
    }

    [[gnu::target("avx2")]] static void store_row(float* shared, const float* own, std::uint32_t size) {
        std::uint32_t k = 0;
        for (; k + 8 <= size; k += 8) store(shared + k, _mm256_load_ps(own + k));
        ScalarLanes::store_row(shared + k, own + k, size - k);
    }

    [[gnu::target("avx2")]] static void products(const float* left, std::uint32_t left_rows, const float* right,
                                                 std::uint32_t right_rows, std::uint32_t stride, float* out) {
        for (std::uint32_t i = 0; i < left_rows; ++i) {
            const float* const a = left + std::size_t{i} * stride;
            std::uint32_t j = 0;
            for (; j + 4 <= right_rows; j += 4)
                products<4>(a, right + std::size_t{j} * stride, stride, out + j * left_rows + i, left_rows);
            for (; j < right_rows; ++j)
                products<1>(a, right + std::size_t{j} * stride, stride, out + j * left_rows + i, left_rows);
        }
    }

    [[gnu::target("avx2")]] static void sum_rows(float* out, const float* rows, std::uint32_t count,
                                                 std::uint32_t stride, const float* factor, std::uint32_t apart) {
        for (std::uint32_t k = 0; k < stride; k += kLanes) {
            __m256 first = _mm256_set1_ps(factor[0]);
            __m256 low = _mm256_mul_ps(first, _mm256_load_ps(rows + k));
            __m256 high = _mm256_mul_ps(first, _mm256_load_ps(rows + k + 8));
            for (std::uint32_t r = 1; r < count; ++r) {
                const __m256 times = _mm256_set1_ps(factor[std::size_t{r} * apart]);
                const float* const row = rows + std::size_t{r} * stride + k;
                low = _mm256_add_ps(low, _mm256_mul_ps(times, _mm256_load_ps(row)));
                high = _mm256_add_ps(high, _mm256_mul_ps(times, _mm256_load_ps(row + 8)));
            }
            _mm256_store_ps(out + k, low);
            _mm256_store_ps(out + k + 8, high);
        }
    }

private:
    /// Products of one row with kRows others.
    template <int kRows>
    [[gnu::target("avx2")]] static void products(const float* a, const float* right, std::uint32_t stride, float* out,
                                                 std::uint32_t apart) {
        __m256 low[kRows], high[kRows];
        for (int j = 0; j < kRows; ++j) low[j] = high[j] = _mm256_setzero_ps();
        for (std::uint32_t k = 0; k < stride; k += kLanes) {
            const __m256 x = _mm256_load_ps(a + k), y = _mm256_load_ps(a + k + 8);
            for (int j = 0; j < kRows; ++j) {
                const float* const b = right + std::size_t{stride} * j + k;
                low[j] = _mm256_add_ps(low[j], _mm256_mul_ps(x, _mm256_load_ps(b)));
                high[j] = _mm256_add_ps(high[j], _mm256_mul_ps(y, _mm256_load_ps(b + 8)));
            }
        }
        for (int j = 0; j < kRows; ++j) out[std::size_t{apart} * j] = folded(low[j], high[j]);
    }

    [[gnu::target("avx2")]] static __m256 products(const float* weights, const SparseRow& row, std::uint32_t k) {
        const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row.index + k));
        return _mm256_mul_ps(_mm256_loadu_ps(row.value + k), _mm256_i32gather_ps(weights, index, 4));
    }

    using Eight = float __attribute__((vector_size(32), aligned(4), may_alias));

    // Instructions, since the compiler may merge, repeat or drop the intrinsics of plain moves.
    [[gnu::target("avx2")]] static __m256 load(const float* from) {
        __m256 values;
        asm volatile("vmovups %1, %0" : "=x"(values) : "m"(*reinterpret_cast<const Eight*>(from)));
        return values;
    }

    [[gnu::target("avx2")]] static void store(float* to, __m256 values) {
        asm volatile("vmovups %1, %0" : "=m"(*reinterpret_cast<Eight*>(to)) : "x"(values));
    }

    /// The sum of all lanes, folded in halves.
    [[gnu::target("avx2")]] static float folded(__m256 low, __m256 high) {
        const __m256 eight = _mm256_add_ps(low, high);
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }
};

} // namespace hogwild
