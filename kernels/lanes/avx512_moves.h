// Moves of sixteen floats that others may write meanwhile, and what turns a square of them. Hardware contract: that of
// kernels/lanes/avx512.h.
#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

struct Avx512Moves {
    static constexpr std::uint32_t kLane = 16;
    static constexpr __mmask16 kAll = 0xFFFF;

    // Instructions, since the compiler may merge, repeat or drop the intrinsics of plain moves.
    [[gnu::target("avx512f")]] static __m512 load(const float* from) {
        __m512 values;
        asm volatile("vmovups %1, %0" : "=v"(values) : "m"(*reinterpret_cast<const Sixteen*>(from)));
        return values;
    }

    /// Not of an empty mask where there may be no memory: that faults inside the processor, for a thousand cycles.
    [[gnu::target("avx512f")]] static __m512 load(__mmask16 mask, const float* from) {
        __m512 values;
        asm volatile("vmovups %1, %0%{%2%}%{z%}"
                     : "=v"(values)
                     : "m"(*reinterpret_cast<const Sixteen*>(from)), "Yk"(mask));
        return values;
    }

    /// One float in all lanes.
    [[gnu::target("avx512f")]] static __m512 broadcast(const float* from) {
        __m512 values;
        asm volatile("vbroadcastss %1, %0" : "=v"(values) : "m"(*from));
        return values;
    }

    [[gnu::target("avx512f")]] static void store(float* to, __m512 values) {
        asm volatile("vmovups %1, %0" : "=m"(*reinterpret_cast<Sixteen*>(to)) : "v"(values));
    }

    [[gnu::target("avx512f")]] static void store(__mmask16 mask, float* to, __m512 values) {
        asm volatile("vmovups %1, %0%{%2%}" : "+m"(*reinterpret_cast<Sixteen*>(to)) : "v"(values), "Yk"(mask));
    }

    /// The first `count` lanes, at most all.
    static __mmask16 tail(std::uint32_t count) { return static_cast<__mmask16>((1u << std::min(count, kLane)) - 1); }

    /// The sum of all lanes, folded in halves.
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static float folded(__m512 sum) {
        const __m256 eight =
            _mm256_add_ps(_mm512_maskz_extractf32x8_ps(0xFF, sum, 0), _mm512_maskz_extractf32x8_ps(0xFF, sum, 1));
        const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
        const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
    }

    /// Lane j of r[i] becomes lane i of r[j].
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::always_inline]] static inline void turn(__m512* r) {
        __m512 t[kLane];
#pragma GCC unroll 8
        for (std::uint32_t l = 0; l < kLane; l += 2) {
            t[l] = _mm512_maskz_unpacklo_ps(kAll, r[l], r[l + 1]);
            t[l + 1] = _mm512_maskz_unpackhi_ps(kAll, r[l], r[l + 1]);
        }
#pragma GCC unroll 4
        for (std::uint32_t l = 0; l < kLane; l += 4) { // part p of r[l + c]: rows l .. l + 3 of column 4 p + c
            r[l] = _mm512_maskz_shuffle_ps(kAll, t[l], t[l + 2], 0x44);
            r[l + 1] = _mm512_maskz_shuffle_ps(kAll, t[l], t[l + 2], 0xEE);
            r[l + 2] = _mm512_maskz_shuffle_ps(kAll, t[l + 1], t[l + 3], 0x44);
            r[l + 3] = _mm512_maskz_shuffle_ps(kAll, t[l + 1], t[l + 3], 0xEE);
        }
#pragma GCC unroll 4
        for (std::uint32_t c = 0; c < 4; ++c) {
            const __m512 even = quarters<0x88>(r[c], r[4 + c]), odd = quarters<0xDD>(r[c], r[4 + c]);
            const __m512 more_even = quarters<0x88>(r[8 + c], r[12 + c]),
                         more_odd = quarters<0xDD>(r[8 + c], r[12 + c]);
            t[c] = quarters<0x88>(even, more_even);
            t[8 + c] = quarters<0xDD>(even, more_even);
            t[4 + c] = quarters<0x88>(odd, more_odd);
            t[12 + c] = quarters<0xDD>(odd, more_odd);
        }
#pragma GCC unroll 16
        for (std::uint32_t l = 0; l < kLane; ++l) r[l] = t[l];
    }

private:
    using Sixteen = float __attribute__((vector_size(64), aligned(4), may_alias));

    // The forms without a mask start from an undefined register, which gcc 12 warns about.
    template <int kChoice>
    [[gnu::target("avx512f")]] static __m512 quarters(__m512 p, __m512 q) {
        return _mm512_maskz_shuffle_f32x4(kAll, p, q, kChoice);
    }
};

} // namespace hogwild
