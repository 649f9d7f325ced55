// Sixteen edges at once in AVX-512 (contract in kernels/lanes/sixteen_edges.h). Hardware contract: that of kernels/lanes/avx512.h.
#pragma once

#include "kernels/lanes/avx512.h"
#include "kernels/lanes/sixteen_edges.h"
#include "kernels/views/edges_view.h"

#include <immintrin.h>

namespace hogwild {

template <>
struct Abreast<Avx512Lanes> {
    static constexpr bool kCan = true;

    [[gnu::target("avx512f")]] static void split(const WeightedEdge* edges, std::uint32_t* u, std::uint32_t* v,
                                                 float* weight) {
        // Word 3 l + part of 48, which lie in three registers: from the first two, then the rest from the third.
        const auto* const words = reinterpret_cast<const std::uint32_t*>(edges);
        const __m512i a = _mm512_loadu_si512(words), b = _mm512_loadu_si512(words + 16),
                      c = _mm512_loadu_si512(words + 32);
        const __m512i from_two = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
        const __m512i from_all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
        _mm512_storeu_si512(u, merged(a, b, c, from_two, from_all));
        const __m512i v_two = _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
        const __m512i v_all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
        _mm512_storeu_si512(v, merged(a, b, c, v_two, v_all));
        const __m512i w_two = _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
        const __m512i w_all = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
        _mm512_storeu_si512(weight, merged(a, b, c, w_two, w_all));
    }

    [[gnu::target("avx512f")]] static void gather(const float* weights, const std::uint32_t* index, std::uint32_t limit,
                                                  float* to) {
        const __m512i at = _mm512_loadu_si512(index);
        const __m512i end = _mm512_set1_epi32(static_cast<int>(limit));
        const __m512 corners = _mm512_maskz_mov_ps(_mm512_cmpeq_epu32_mask(at, end), _mm512_set1_ps(1));
        _mm512_storeu_ps(to, _mm512_mask_i32gather_ps(corners, _mm512_cmplt_epu32_mask(at, end), at, weights, 4));
    }

    template <Write kWrite>
    [[gnu::target("avx512f")]] static void scatter(float* weights, const std::uint32_t* index, std::uint32_t limit,
                                                   const float* from) {
        const __m512i at = _mm512_loadu_si512(index);
        const __m512 values = _mm512_loadu_ps(from);
        const __mmask16 mask = _mm512_cmplt_epu32_mask(at, _mm512_set1_epi32(static_cast<int>(limit)));
        if constexpr (kWrite == Write::kStore) {
            _mm512_mask_i32scatter_ps(weights, mask, at, values, 4);
        } else {
            asm volatile("" : : "v"(values));
        }
    }

private:
    [[gnu::target("avx512f")]] static __m512i merged(__m512i a, __m512i b, __m512i c, __m512i from_two,
                                                     __m512i from_all) {
        return _mm512_permutex2var_epi32(_mm512_permutex2var_epi32(a, from_two, b), from_all, c);
    }
};

} // namespace hogwild
