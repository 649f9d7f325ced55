// The row loops of kernels/lanes/low_precision.h in AVX-512, with the same bits.
// Hardware contract: that of kernels/lanes/avx512.h. A cell is gathered as a part of the aligned 4 bytes that it lies
// in. It is stored alone, by a relaxed store: a scatter writes at least 4 bytes, and would overwrite its neighbours.
#pragma once

#include "kernels/lanes/avx512.h"
#include "kernels/lanes/low_precision.h"
#include "kernels/numbers/half.h"
#include "kernels/numbers/int8.h"
#include "kernels/numbers/rounding.h"
#include "kernels/views/sparse_view.h"

#include <immintrin.h>

#include <algorithm>
#include <cstdint>

namespace hogwild {

// Sixteen numbers, each in the low bits of its lane; those above are anything before `widened`. The forms with masks are for gcc 12,
// which warns about the undefined register that others start from.

/// As Bf16.
struct Bf16Lanes {
    [[gnu::target("avx512f")]] static __m512 widened(__m512i bits, const Bf16&) {
        return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xFFFF, bits, 16));
    }

    [[gnu::target("avx512f")]] static __m512i rounded(__m512 x, __m512i dither, const Bf16&) {
        const __m512i bits = _mm512_castps_si512(x), infinite = _mm512_set1_epi32(0x7F800000);
        const __mmask16 finite = _mm512_cmpneq_epi32_mask(_mm512_and_si512(bits, infinite), infinite);
        return _mm512_maskz_srli_epi32(0xFFFF, _mm512_mask_add_epi32(bits, finite, bits, dither), 16);
    }
};

/// As Fp16.
struct Fp16Lanes {
    [[gnu::target("avx512f,avx512vl")]] static __m512 widened(__m512i bits, const Fp16&) {
        return _mm512_maskz_cvtph_ps(0xFFFF, _mm512_maskz_cvtepi32_epi16(0xFFFF, bits));
    }

    [[gnu::target("avx512f,avx512vl,avx512dq")]] static __m512i rounded(__m512 x, __m512i dither, const Fp16&) {
        const __m512i bits = _mm512_castps_si512(x);
        const __m512i exponent = _mm512_maskz_max_epi32(0xFFFF, _mm512_and_si512(bits, _mm512_set1_epi32(0x7F800000)),
                                                        _mm512_set1_epi32((127 - 14) << 23));
        const __m512 apart = _mm512_castsi512_ps(_mm512_sub_epi32(exponent, _mm512_set1_epi32(10 << 23)));
        const __m512 share = _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xFFFF, _mm512_maskz_srli_epi32(0xFFFF, dither, 3)),
                                           _mm512_set1_ps(0x1p-13f));
        const __m512i sign = _mm512_and_si512(bits, _mm512_set1_epi32(static_cast<int>(0x80000000u)));
        const __m512 up = _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(_mm512_mul_ps(share, apart)), sign));
        const __m512 sum = _mm512_add_ps(x, up);
        const __m256i halves = _mm512_maskz_cvtps_ph(0xFFFF, sum, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
        const __mmask16 nan = _mm512_cmp_ps_mask(sum, sum, _CMP_UNORD_Q);
        return _mm512_mask_mov_epi32(_mm512_maskz_cvtepu16_epi32(0xFFFF, halves), nan, _mm512_set1_epi32(0x7FFF));
    }
};

/// As Int8.
struct Int8Lanes {
    [[gnu::target("avx512f")]] static __m512 widened(__m512i bits, const Int8& number) {
        const __m512i k = _mm512_maskz_srai_epi32(0xFFFF, _mm512_maskz_slli_epi32(0xFFFF, bits, 24), 24);
        return _mm512_mul_ps(_mm512_maskz_cvtepi32_ps(0xFFFF, k), _mm512_set1_ps(number.step));
    }

    [[gnu::target("avx512f,avx512dq")]] static __m512i rounded(__m512 x, __m512i dither, const Int8& number) {
        const __m512i bits = _mm512_castps_si512(x);
        const __m512 all = _mm512_castsi512_ps(_mm512_and_si512(bits, _mm512_set1_epi32(0x7FFFFFFF)));
        const __m512 most = _mm512_set1_ps(Int8::kMost); // the second of two is what a NaN gives
        const __m512 size = _mm512_maskz_min_ps(0xFFFF, _mm512_mul_ps(all, _mm512_set1_ps(number.per_step)), most);
        const __m512i parts = _mm512_maskz_cvttps_epi32(0xFFFF, _mm512_mul_ps(size, _mm512_set1_ps(0x1p24f)));
        const __m512i k = _mm512_maskz_srli_epi32(0xFFFF, _mm512_add_epi32(parts, dither), 24);
        return _mm512_mask_sub_epi32(k, _mm512_movepi32_mask(bits), _mm512_setzero_si512(), k);
    }
};

template <class Number, class Form>
struct LowPrecision512 : private Avx512Moves {
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static float dot(const Cells<Number>& cells,
                                                                           const SparseRow& row) {
        __m512 sum = _mm512_setzero_ps();
        for (std::uint32_t k = 0; k < row.size; k += kLane) {
            const __mmask16 mask = tail(row.size - k);
            const __m512 weight = load(cells, mask, _mm512_maskz_loadu_epi32(mask, row.index + k));
            sum = _mm512_mask_add_ps(sum, mask, sum, _mm512_mul_ps(_mm512_maskz_loadu_ps(mask, row.value + k), weight));
        }
        return folded(sum);
    }

    template <Rounding kRounding>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    add(const Cells<Number>& cells, const SparseRow& row, float scale, Dither& dither) {
        Dither words = dither;
        __m512i by = _mm512_set1_epi32(static_cast<int>(kHalfWay<Number>));
        if constexpr (kRounding == Rounding::kShared) by = next(words, kLane);
        const __m512 factor = _mm512_set1_ps(scale);
        for (std::uint32_t k = 0; k < row.size; k += kLane) {
            const std::uint32_t count = std::min(row.size - k, kLane);
            if constexpr (kRounding == Rounding::kUnbiased) by = next(words, count);
            const __mmask16 mask = tail(count);
            const __m512i index = _mm512_maskz_loadu_epi32(mask, row.index + k);
            const __m512 increment = _mm512_mul_ps(factor, _mm512_maskz_loadu_ps(mask, row.value + k));
            const __m512 sum = _mm512_add_ps(load(cells, mask, index), increment);
            alignas(64) std::uint32_t out[kLane];
            _mm512_store_si512(out, Form::rounded(sum, by, cells.number));
            for (std::uint32_t l = 0; l < count; ++l)
                relaxed_store(cells.at[row.index[k + l]], static_cast<typename Number::Bits>(out[l]));
        }
        dither = words;
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void copy(float* out, const Cells<Number>& cells,
                                                                           std::uint32_t size) {
        const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        for (std::uint32_t j = 0; j < size; j += kLane) {
            const __mmask16 mask = tail(size - j);
            const __m512i index = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(j)), lane);
            _mm512_mask_storeu_ps(out + j, mask, load(cells, mask, index));
        }
    }

private:
    static constexpr unsigned kLogPerWord = sizeof(typename Number::Bits) == 2 ? 1 : 2;

    [[gnu::target("avx512f")]] static __m512 load(const Cells<Number>& cells, __mmask16 mask, __m512i index) {
        constexpr int kPerWord = 1 << kLogPerWord, kBits = 32 / kPerWord, kLogBits = kBits == 16 ? 4 : 3;
        const __m512i word = _mm512_maskz_srli_epi32(0xFFFF, index, kLogPerWord);
        const __m512i within = _mm512_and_si512(index, _mm512_set1_epi32(kPerWord - 1));
        const __m512i all = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), mask, word, cells.at, 4);
        const __m512i bits = _mm512_maskz_srlv_epi32(0xFFFF, all, _mm512_maskz_slli_epi32(0xFFFF, within, kLogBits));
        return Form::widened(bits, cells.number);
    }

    /// Dithers of the next sixteen words, of which so many are taken.
    [[gnu::target("avx512f,avx512dq")]] static __m512i next(Dither& words, std::uint32_t count) {
        const __m512i apart =
            _mm512_mullo_epi32(_mm512_set_epi32(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
                               _mm512_set1_epi32(static_cast<int>(Dither::kApart)));
        __m512i x = _mm512_add_epi32(_mm512_set1_epi32(static_cast<int>(words.state())), apart);
        words.skip(count);
        // Dither::mixed
        x = _mm512_mullo_epi32(shifted<16>(x), _mm512_set1_epi32(static_cast<int>(0x7FEB352Du)));
        x = _mm512_mullo_epi32(shifted<15>(x), _mm512_set1_epi32(static_cast<int>(0x846CA68Bu)));
        return _mm512_maskz_srli_epi32(0xFFFF, shifted<16>(x), 32 - Number::kDither);
    }

    template <int kBy>
    [[gnu::target("avx512f")]] static __m512i shifted(__m512i x) {
        return _mm512_xor_si512(x, _mm512_maskz_srli_epi32(0xFFFF, x, kBy));
    }
};

template <>
struct LowPrecision<Avx512Lanes, Bf16> : LowPrecision512<Bf16, Bf16Lanes> {};

template <>
struct LowPrecision<Avx512Lanes, Fp16> : LowPrecision512<Fp16, Fp16Lanes> {};

template <>
struct LowPrecision<Avx512Lanes, Int8> : LowPrecision512<Int8, Int8Lanes> {};

} // namespace hogwild
