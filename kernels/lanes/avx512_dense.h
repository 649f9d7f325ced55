// Sums of rows of weights (kernels/lanes/dense.h) in AVX-512: tiles of up to 12 outputs x 32 columns in registers, k innermost.
//
// A panel, 32 columns of up to 512 terms, is copied to the stack first where many tiles read it, or where rows are transposed:
// then the tiles' loads follow one another, and a transposition is paid once. Hardware contract: that of kernels/lanes/avx512.h.
#pragma once

#include "kernels/lanes/dense.h"

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class Avx512Dense {
public:
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void sums(const DenseSums& s) {
        const bool copies = s.transposed || (s.outs > kCopyAbove && s.rows_stride > kWide);
        alignas(64) float panel[kDeep * kWide];
        for (std::uint32_t n = 0; n < s.columns; n += kWide) {
            const std::uint32_t wide = std::min(s.columns - n, kWide);
            Part part{s.out + n, s.initial == nullptr ? nullptr : s.initial + n, s.initial_stride, nullptr, 0, 0, 0,
                      wide};
            std::uint32_t k = 0;
            do { // once also of no terms
                part.from = k;
                part.to = copies ? std::min(s.terms, k + kDeep) : s.terms;
                part.rows = s.weight(k, n);
                part.rows_stride = s.rows_stride;
                if (copies) {
                    if (s.transposed)
                        transpose(panel, kWide, part.rows, s.rows_stride, wide, part.to - k);
                    else
                        copy(panel, part.rows, s.rows_stride, part.to - k, wide);
                    part.rows = panel;
                    part.rows_stride = kWide;
                }
                all_outs(s, part);
                part.initial = part.out;
                part.initial_stride = s.out_stride;
                k = part.to;
            } while (k < s.terms);
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void listed(const ListedSum& s) {
        for (std::uint32_t n = 0; n < s.columns; n += 8 * kLane) {
            switch ((std::min(s.columns - n, 8 * kLane) + kLane - 1) / kLane) {
            case 1: listed_of<1>(s, n); break;
            case 2: listed_of<2>(s, n); break;
            case 3: listed_of<3>(s, n); break;
            case 4: listed_of<4>(s, n); break;
            case 5: listed_of<5>(s, n); break;
            case 6: listed_of<6>(s, n); break;
            case 7: listed_of<7>(s, n); break;
            default: listed_of<8>(s, n);
            }
        }
    }

private:
    static constexpr std::uint32_t kLane = 16;
    static constexpr std::uint32_t kTall = 12, kWide = 32, kDeep = 512; // of a tile, of a panel
    static constexpr std::uint32_t kCopyAbove = 36;

    using Sixteen = float __attribute__((vector_size(64), aligned(4), may_alias));

    /// Up to kWide columns of all outputs, of the terms [from, to); `rows` are those of term `from` and behind.
    struct Part {
        float* out;
        const float* initial;
        std::size_t initial_stride;
        const float* rows;
        std::size_t rows_stride;
        std::uint32_t from, to, wide;
    };

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void all_outs(const DenseSums& s, const Part& part) {
        const std::uint32_t tiles = (s.outs + kTall - 1) / kTall;
        for (std::uint32_t t = 0, m = 0; t < tiles; ++t) {
            const std::uint32_t tall = (s.outs - m + tiles - t - 1) / (tiles - t); // as equal as they can be
            part.wide > kLane ? tile_of<2>(tall, s, part, m) : tile_of<1>(tall, s, part, m);
            m += tall;
        }
    }

    template <int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void tile_of(std::uint32_t tall, const DenseSums& s,
                                                                              const Part& part, std::uint32_t m) {
        switch (tall) {
        case 1: return tile<1, kVectors>(s, part, m);
        case 2: return tile<2, kVectors>(s, part, m);
        case 3: return tile<3, kVectors>(s, part, m);
        case 4: return tile<4, kVectors>(s, part, m);
        case 5: return tile<5, kVectors>(s, part, m);
        case 6: return tile<6, kVectors>(s, part, m);
        case 7: return tile<7, kVectors>(s, part, m);
        case 8: return tile<8, kVectors>(s, part, m);
        case 9: return tile<9, kVectors>(s, part, m);
        case 10: return tile<10, kVectors>(s, part, m);
        case 11: return tile<11, kVectors>(s, part, m);
        default: return tile<12, kVectors>(s, part, m);
        }
    }

    template <int kOuts, int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void
    tile(const DenseSums& s, const Part& part, std::uint32_t m) {
        const __mmask16 last = tail(part.wide - (kVectors - 1) * kLane);
        __m512 sum[kOuts][kVectors];
#pragma GCC unroll 12
        for (int i = 0; i < kOuts; ++i) {
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) {
                sum[i][v] = _mm512_setzero_ps();
                if (part.initial != nullptr)
                    sum[i][v] =
                        load(v + 1 < kVectors ? kAll : last, part.initial + (m + i) * part.initial_stride + v * kLane);
            }
        }
        const std::size_t row = s.factors.row, step = s.factors.step, stride = part.rows_stride;
        const float* rows = part.rows;
        for (std::uint32_t k = part.from; k < part.to;) {
            const std::uint32_t within = k % s.factors.length;
            const std::uint32_t count = std::min(part.to - k, s.factors.length - within);
            const float* factor[(kOuts + 2) / 3]; // of every third output: fewer pointers than outputs
            for (int i = 0; i < kOuts; i += 3) factor[i / 3] = s.factors.at(m + i, k);
            for (std::uint32_t left = count; left > 0; --left) {
                __m512 weight[kVectors];
#pragma GCC unroll 2
                for (int v = 0; v < kVectors; ++v)
                    weight[v] = v + 1 < kVectors ? load(rows + v * kLane) : load(last, rows + v * kLane);
#pragma GCC unroll 12
                for (int i = 0; i < kOuts; ++i) {
                    const __m512 times = _mm512_set1_ps(factor[i / 3][i % 3 * row]);
#pragma GCC unroll 2
                    for (int v = 0; v < kVectors; ++v) sum[i][v] = _mm512_fmadd_ps(times, weight[v], sum[i][v]);
                }
#pragma GCC unroll 4
                for (int i = 0; i < kOuts; i += 3) factor[i / 3] += step;
                rows += stride;
            }
            k += count;
        }
#pragma GCC unroll 12
        for (int i = 0; i < kOuts; ++i) {
            float* const out = part.out + (m + i) * s.out_stride;
#pragma GCC unroll 2
            for (int v = 0; v < kVectors; ++v) {
                if (v + 1 < kVectors)
                    _mm512_storeu_ps(out + v * kLane, sum[i][v]);
                else
                    _mm512_mask_storeu_ps(out + v * kLane, last, sum[i][v]);
            }
        }
    }

    template <int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void listed_of(const ListedSum& s,
                                                                                               std::uint32_t n) {
        const std::uint32_t wide = std::min<std::uint32_t>(s.columns - n, kVectors * kLane);
        const __mmask16 last = tail(wide - (kVectors - 1) * kLane);
        __m512 sum[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            sum[v] = _mm512_setzero_ps();
            if (s.initial != nullptr) sum[v] = load(v + 1 < kVectors ? kAll : last, s.initial + n + v * kLane);
        }
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const float* const row = s.rows + s.index[i] * s.rows_stride + n;
            const __m512 times = _mm512_set1_ps(s.factor[i]);
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                const __m512 weight = v + 1 < kVectors ? load(row + v * kLane) : load(last, row + v * kLane);
                sum[v] = _mm512_fmadd_ps(times, weight, sum[v]);
            }
        }
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v) {
            if (v + 1 < kVectors)
                _mm512_storeu_ps(s.out + n + v * kLane, sum[v]);
            else
                _mm512_mask_storeu_ps(s.out + n + v * kLane, last, sum[v]);
        }
    }

    /// A panel of `terms` rows.
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    copy(float* panel, const float* rows, std::size_t stride, std::uint32_t terms, std::uint32_t wide) {
        const __mmask16 low = tail(std::min(wide, kLane)), high = tail(wide - std::min(wide, kLane));
        for (std::uint32_t k = 0; k < terms; ++k, rows += stride, panel += kWide) {
            _mm512_store_ps(panel, load(low, rows));
            if (high != 0) _mm512_store_ps(panel + kLane, load(high, rows + kLane));
        }
    }

    /// out[j * out_stride + i] = rows[i * rows_stride + j] for i < count, j < size; out is on cache lines, and gets zeros up to
    /// a multiple of sixteen i.
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    transpose(float* out, std::size_t out_stride, const float* rows, std::size_t rows_stride, std::uint32_t count,
              std::uint32_t size) {
        for (std::uint32_t i = 0; i < count; i += kLane) {
            for (std::uint32_t j = 0; j < size; j += kLane) {
                const __mmask16 some = tail(std::min(size - j, kLane));
                const std::uint32_t rows_left = std::min(count - i, kLane);
                __m512 r[kLane];
#pragma GCC unroll 16
                for (std::uint32_t l = 0; l < kLane; ++l)
                    r[l] = l < rows_left ? load(some, rows + (i + l) * rows_stride + j) : _mm512_setzero_ps();
                transpose(r);
                float* const to = out + j * out_stride + i;
                const std::uint32_t columns_left = std::min(size - j, kLane);
#pragma GCC unroll 16
                for (std::uint32_t l = 0; l < kLane; ++l)
                    if (l < columns_left) _mm512_store_ps(to + l * out_stride, r[l]);
            }
        }
    }

    // The forms without a mask start from an undefined register, which gcc 12 warns about.
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void transpose(__m512* r) {
        __m512 t[kLane];
#pragma GCC unroll 8
        for (std::uint32_t l = 0; l < kLane; l += 2) {
            t[l] = _mm512_maskz_unpacklo_ps(kAll, r[l], r[l + 1]);
            t[l + 1] = _mm512_maskz_unpackhi_ps(kAll, r[l], r[l + 1]);
        }
#pragma GCC unroll 4
        for (std::uint32_t l = 0; l < kLane; l += 4) {
            r[l] = _mm512_maskz_shuffle_ps(kAll, t[l], t[l + 2], 0x44);
            r[l + 1] = _mm512_maskz_shuffle_ps(kAll, t[l], t[l + 2], 0xEE);
            r[l + 2] = _mm512_maskz_shuffle_ps(kAll, t[l + 1], t[l + 3], 0x44);
            r[l + 3] = _mm512_maskz_shuffle_ps(kAll, t[l + 1], t[l + 3], 0xEE);
        }
        // r[4 b + c], 128-bit part p: rows 4 b .. 4 b + 3 of column 4 p + c
#pragma GCC unroll 4
        for (std::uint32_t c = 0; c < 4; ++c) {
            const __m512 low_even = _mm512_maskz_shuffle_f32x4(kAll, r[c], r[4 + c], 0x88);
            const __m512 low_odd = _mm512_maskz_shuffle_f32x4(kAll, r[c], r[4 + c], 0xDD);
            const __m512 high_even = _mm512_maskz_shuffle_f32x4(kAll, r[8 + c], r[12 + c], 0x88);
            const __m512 high_odd = _mm512_maskz_shuffle_f32x4(kAll, r[8 + c], r[12 + c], 0xDD);
            t[c] = _mm512_maskz_shuffle_f32x4(kAll, low_even, high_even, 0x88);
            t[8 + c] = _mm512_maskz_shuffle_f32x4(kAll, low_even, high_even, 0xDD);
            t[4 + c] = _mm512_maskz_shuffle_f32x4(kAll, low_odd, high_odd, 0x88);
            t[12 + c] = _mm512_maskz_shuffle_f32x4(kAll, low_odd, high_odd, 0xDD);
        }
#pragma GCC unroll 16
        for (std::uint32_t l = 0; l < kLane; ++l) r[l] = t[l];
    }

    // Instructions, since the compiler may merge, repeat or drop the intrinsics of plain moves.
    [[gnu::target("avx512f")]] static __m512 load(const float* from) {
        __m512 values;
        asm volatile("vmovups %1, %0" : "=v"(values) : "m"(*reinterpret_cast<const Sixteen*>(from)));
        return values;
    }

    [[gnu::target("avx512f")]] static __m512 load(__mmask16 mask, const float* from) {
        __m512 values;
        asm volatile("vmovups %1, %0%{%2%}%{z%}"
                     : "=v"(values)
                     : "m"(*reinterpret_cast<const Sixteen*>(from)), "Yk"(mask));
        return values;
    }

    static constexpr __mmask16 kAll = 0xFFFF;

    static __mmask16 tail(std::uint32_t count) { return static_cast<__mmask16>((1u << count) - 1); }
};

} // namespace hogwild
