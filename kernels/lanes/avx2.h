// The row loops of kernels/lanes/scalar.h in AVX2, two registers of eight lanes, with the same bits.
// Hardware contract: that of kernels/lanes/avx512.h for gathers; stores go element by element (AVX2 has no scatter).
#pragma once

#include "kernels/lanes/scalar.h"
#include "kernels/views.h"

#include <immintrin.h>

namespace hogwild {

struct Avx2Lanes {
    static constexpr std::string_view name = "avx2";

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
        const __m256 eight = _mm256_add_ps(_mm256_load_ps(lane), _mm256_load_ps(lane + 8));
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }

    template <Write kWrite = Write::kStore>
    static void add(float* weights, const SparseRow& row, float scale) {
        ScalarLanes::add<kWrite>(weights, row, scale);
    }

private:
    [[gnu::target("avx2")]] static __m256 products(const float* weights, const SparseRow& row, std::uint32_t k) {
        const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row.index + k));
        return _mm256_mul_ps(_mm256_loadu_ps(row.value + k), _mm256_i32gather_ps(weights, index, 4));
    }
};

} // namespace hogwild
