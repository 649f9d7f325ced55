// Sums of rows of weights (kernels/lanes/dense.h) in AVX2 with FMA: tiles of up to 4 outputs x 16 columns in registers.
//
// A panel, 16 columns of up to 512 terms, is copied to the stack first where many tiles read it, where rows are transposed, or
// where columns are left over: AVX2 masks cost more than zeros. Hardware contract: that of kernels/lanes/avx512.h.
#pragma once

#include "kernels/lanes/dense.h"

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class Avx2Dense {
public:
    [[gnu::target("avx2,fma"), gnu::noinline]] static void sums(const DenseSums& s) {
        alignas(64) float panel[kDeep * kWide];
        for (std::uint32_t n = 0; n < s.columns; n += kWide) {
            const std::uint32_t wide = std::min(s.columns - n, kWide);
            const bool copies = s.transposed || wide < kWide || (s.outs > kCopyAbove && s.rows_stride > kWide);
            Part part{s.out + n, s.initial == nullptr ? nullptr : s.initial + n, s.initial_stride, nullptr, 0, 0, 0,
                      wide};
            std::uint32_t k = 0;
            do { // once also of no terms
                part.from = k;
                part.to = copies ? std::min(s.terms, k + kDeep) : s.terms;
                part.rows = s.weight(k, n);
                part.rows_stride = s.rows_stride;
                if (copies) {
                    copy(panel, s, k, part.to - k, n, wide);
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

    [[gnu::target("avx2,fma"), gnu::noinline]] static void listed(const ListedSum& s) {
        std::uint32_t n = 0;
        for (; n + 64 <= s.columns; n += 64) listed_of<8>(s, n);
        for (; n + 16 <= s.columns; n += 16) listed_of<2>(s, n);
        for (; n + 8 <= s.columns; n += 8) listed_of<1>(s, n);
        for (; n < s.columns; ++n) {
            float sum = s.initial == nullptr ? 0.0f : relaxed_load(s.initial[n]);
            for (std::uint32_t i = 0; i < s.count; ++i)
                sum = __builtin_fmaf(s.factor[i], relaxed_load(s.rows[s.index[i] * s.rows_stride + n]), sum);
            s.out[n] = sum;
        }
    }

private:
    static constexpr std::uint32_t kLane = 8;
    static constexpr std::uint32_t kTall = 4, kWide = 16, kDeep = 512; // of a tile, of a panel
    static constexpr std::uint32_t kCopyAbove = 16;

    using Eight = float __attribute__((vector_size(32), aligned(4), may_alias));

    /// Up to kWide columns of all outputs, of the terms [from, to); `rows` are those of term `from` and behind, kWide floats each.
    struct Part {
        float* out;
        const float* initial;
        std::size_t initial_stride;
        const float* rows;
        std::size_t rows_stride;
        std::uint32_t from, to, wide;
    };

    [[gnu::target("avx2,fma")]] static void all_outs(const DenseSums& s, const Part& part) {
        for (std::uint32_t m = 0; m < s.outs; m += kTall) {
            switch (std::min(s.outs - m, kTall)) {
            case 1: tile<1>(s, part, m); break;
            case 2: tile<2>(s, part, m); break;
            case 3: tile<3>(s, part, m); break;
            default: tile<4>(s, part, m);
            }
        }
    }

    template <int kOuts>
    [[gnu::target("avx2,fma"), gnu::noinline]] static void tile(const DenseSums& s, const Part& part, std::uint32_t m) {
        __m256 low[kOuts], high[kOuts];
        for (int i = 0; i < kOuts; ++i) {
            low[i] = high[i] = _mm256_setzero_ps();
            if (part.initial == nullptr) continue;
            const float* const initial = part.initial + (m + i) * part.initial_stride;
            alignas(32) float some[kWide] = {};
            if (part.wide == kWide) {
                low[i] = load(initial);
                high[i] = load(initial + kLane);
            } else {
                for (std::uint32_t n = 0; n < part.wide; ++n) some[n] = relaxed_load(initial[n]);
                low[i] = _mm256_load_ps(some);
                high[i] = _mm256_load_ps(some + kLane);
            }
        }
        const std::size_t row = s.factors.row, step = s.factors.step, stride = part.rows_stride;
        const float* rows = part.rows;
        for (std::uint32_t k = part.from; k < part.to;) {
            const std::uint32_t within = k % s.factors.length;
            const std::uint32_t count = std::min(part.to - k, s.factors.length - within);
            const float* factor = s.factors.at(m, k);
            for (std::uint32_t left = count; left > 0; --left) {
                const __m256 x = load(rows), y = load(rows + kLane);
#pragma GCC unroll 4
                for (int i = 0; i < kOuts; ++i) {
                    const __m256 times = _mm256_set1_ps(factor[i * row]);
                    low[i] = _mm256_fmadd_ps(times, x, low[i]);
                    high[i] = _mm256_fmadd_ps(times, y, high[i]);
                }
                factor += step;
                rows += stride;
            }
            k += count;
        }
        for (int i = 0; i < kOuts; ++i) {
            float* const out = part.out + (m + i) * s.out_stride;
            if (part.wide == kWide) {
                _mm256_storeu_ps(out, low[i]);
                _mm256_storeu_ps(out + kLane, high[i]);
            } else {
                alignas(32) float some[kWide];
                _mm256_store_ps(some, low[i]);
                _mm256_store_ps(some + kLane, high[i]);
                std::copy_n(some, part.wide, out);
            }
        }
    }

    template <int kVectors>
    [[gnu::target("avx2,fma"), gnu::noinline]] static void listed_of(const ListedSum& s, std::uint32_t n) {
        __m256 sum[kVectors];
        for (int v = 0; v < kVectors; ++v)
            sum[v] = s.initial == nullptr ? _mm256_setzero_ps() : load(s.initial + n + v * kLane);
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const float* const row = s.rows + s.index[i] * s.rows_stride + n;
            const __m256 times = _mm256_set1_ps(s.factor[i]);
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) sum[v] = _mm256_fmadd_ps(times, load(row + v * kLane), sum[v]);
        }
        for (int v = 0; v < kVectors; ++v) _mm256_storeu_ps(s.out + n + v * kLane, sum[v]);
    }

    /// A panel of the terms k, k + 1, ..., with zeros behind column `wide`.
    [[gnu::target("avx2,fma")]] static void copy(float* panel, const DenseSums& s, std::uint32_t k, std::uint32_t terms,
                                                 std::uint32_t n, std::uint32_t wide) {
        const float* const rows = s.weight(k, n);
        for (std::uint32_t t = 0; t < terms; ++t) {
            float* const to = panel + t * kWide;
            if (!s.transposed && wide == kWide) {
                _mm256_store_ps(to, load(rows + t * s.rows_stride));
                _mm256_store_ps(to + kLane, load(rows + t * s.rows_stride + kLane));
                continue;
            }
            for (std::uint32_t i = 0; i < kWide; ++i) {
                const float* const from = s.transposed ? rows + i * s.rows_stride + t : rows + t * s.rows_stride + i;
                to[i] = i < wide ? relaxed_load(*from) : 0.0f;
            }
        }
    }

    [[gnu::target("avx2")]] static __m256 load(const float* from) {
        __m256 values;
        asm volatile("vmovups %1, %0" : "=x"(values) : "m"(*reinterpret_cast<const Eight*>(from)));
        return values;
    }
};

} // namespace hogwild
