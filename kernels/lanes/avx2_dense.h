// Sums of rows of weights (kernels/lanes/dense.h) in AVX2 with FMA. Tiles of up to 6 outputs x 16 columns, or 12 x 8,
// stay in registers, with k innermost.
//
// A panel is 16 columns of up to 512 terms. It is copied to the stack first where rows are transposed, or where many
// tiles read it and no cache near holds all rows.
// Hardware contract: that of kernels/lanes/avx512.h, for vmaskmovps too.
#pragma once

#include "kernels/lanes/dense.h"
#include "kernels/lanes/tile_heights.h"

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class Avx2Dense {
public:
    [[gnu::target("avx2,fma"), gnu::noinline]] static void sums(const DenseSums& s) {
        const bool panels = s.transposed || (s.outs > 3 * kTall && s.terms > kDeep && s.terms * s.rows_stride > kNear);
        alignas(64) float panel[kDeep * kWide];
        for (std::uint32_t n = 0; n < s.columns; n += kWide) {
            const std::uint32_t wide = std::min(s.columns - n, kWide);
            const float* initial = s.initial == nullptr ? nullptr : s.initial + n;
            std::size_t initial_stride = s.initial_stride;
            std::uint32_t k = 0;
            do { // once also of no terms
                const std::uint32_t to = panels ? std::min(s.terms, k + kDeep) : s.terms;
                if (s.transposed)
                    ScalarDense::transpose(panel, kWide, s.weight(k, n), s.rows_stride, wide, to - k);
                else if (panels)
                    copy(panel, s.weight(k, n), s.rows_stride, to - k, wide);
                const float* const rows = panels ? panel : s.weight(k, n);
                all_outs(s, {s.out + n, initial, initial_stride, rows, panels ? kWide : s.rows_stride, k, to, wide});
                initial = s.out + n;
                initial_stride = s.out_stride;
                k = to;
            } while (k < s.terms);
        }
    }

    [[gnu::target("avx2,fma"), gnu::noinline]] static void listed(const ListedSum& s) {
        std::uint32_t n = 0;
        for (; n + 64 <= s.columns; n += 64) listed_of<8>(s, n, kLane);
        for (; n + 16 <= s.columns; n += 16) listed_of<2>(s, n, kLane);
        for (; n < s.columns; n += kLane) listed_of<1>(s, n, std::min(s.columns - n, kLane));
    }

    static void transpose(float* own, std::size_t own_stride, const float* shared, std::size_t stride,
                          std::uint32_t rows, std::uint32_t columns) {
        ScalarDense::transpose(own, own_stride, shared, stride, rows, columns);
    }

private:
    static constexpr std::uint32_t kLane = 8;
    static constexpr std::uint32_t kTall = 6, kWide = 16, kDeep = 512; // of a tile, of a panel
    static constexpr std::size_t kNear = 64 * 1024;                    // floats that a second-level cache holds

    using Eight = float __attribute__((vector_size(32), aligned(4), may_alias));

    /// Up to kWide columns of all outputs, of the terms [from, to); `rows` are those of term `from` and behind.
    struct Part {
        float* out;
        const float* initial;
        std::size_t initial_stride;
        const float* rows;
        std::size_t rows_stride;
        std::uint32_t from, to, wide;
    };

    [[gnu::target("avx2,fma")]] static void all_outs(const DenseSums& s, const Part& part) {
        const std::uint32_t most = part.wide > kLane ? kTall : 2 * kTall, tiles = (s.outs + most - 1) / most;
        for (std::uint32_t t = 0, m = 0; t < tiles; ++t) {
            const std::uint32_t tall = (s.outs - m + tiles - t - 1) / (tiles - t); // as equal as they can be
            if (part.wide == kWide)
                tile_of<kTall, kWide>(tall, s, part, m);
            else if (part.wide > kLane)
                tile_of<kTall, kWide - 1>(tall, s, part, m);
            else
                tile_of<2 * kTall, kLane>(tall, s, part, m);
            m += tall;
        }
    }

    /// `kHighest`: rows that a tile of up to kMost columns may have.
    template <std::uint32_t kHighest, std::uint32_t kMost>
    [[gnu::target("avx2,fma")]] static void tile_of(std::uint32_t tall, const DenseSums& s, const Part& part,
                                                    std::uint32_t m) {
        with_height<kHighest>(tall, [&]<std::uint32_t kHeight>() { tile<kHeight, kMost>(s, part, m); });
    }

    template <int kOuts, std::uint32_t kMost>
    [[gnu::target("avx2,fma"), gnu::noinline]] static void tile(const DenseSums& s, const Part& part, std::uint32_t m) {
        constexpr bool kAll = kMost == kWide, kTwo = kMost > kLane;
        const __m256i first = kTwo ? tail(kLane) : tail(part.wide);
        const __m256i second = tail(part.wide - std::min(part.wide, kLane));
        __m256 low[kOuts], high[kOuts];
        const float* initial = part.initial == nullptr ? nullptr : part.initial + m * part.initial_stride;
#pragma GCC unroll 12
        for (int i = 0; i < kOuts; ++i) {
            low[i] = high[i] = _mm256_setzero_ps();
            if (initial == nullptr) continue;
            low[i] = load(first, initial);
            if (kTwo) high[i] = load(second, initial + kLane);
            initial += part.initial_stride;
        }
        const std::size_t row = s.factors.row, step = s.factors.step, stride = part.rows_stride;
        const float* rows = part.rows;
        for (std::uint32_t k = part.from; k < part.to;) {
            const std::uint32_t count = std::min(part.to - k, s.factors.length - k % s.factors.length);
            const float* factor[(kOuts + 2) / 3]; // of every third output: fewer pointers than outputs
            for (int i = 0; i < kOuts; i += 3) factor[i / 3] = s.factors.at(m + i, k);
            for (std::uint32_t left = count; left > 0; --left) {
                const __m256 x = kTwo ? load(rows) : load(first, rows);
                const __m256 y = kAll ? load(rows + kLane) : kTwo ? load(second, rows + kLane) : _mm256_setzero_ps();
#pragma GCC unroll 12
                for (int i = 0; i < kOuts; ++i) {
                    const __m256 times = _mm256_broadcast_ss(&factor[i / 3][i % 3 * row]);
                    low[i] = _mm256_fmadd_ps(times, x, low[i]);
                    if (kTwo) high[i] = _mm256_fmadd_ps(times, y, high[i]);
                }
#pragma GCC unroll 4
                for (int i = 0; i < kOuts; i += 3) factor[i / 3] += step;
                rows += stride;
            }
            k += count;
        }
        float* out = part.out + m * s.out_stride;
#pragma GCC unroll 12
        for (int i = 0; i < kOuts; ++i) {
            if (kTwo)
                _mm256_storeu_ps(out, low[i]);
            else
                _mm256_maskstore_ps(out, first, low[i]);
            if (kAll)
                _mm256_storeu_ps(out + kLane, high[i]);
            else if (kTwo)
                _mm256_maskstore_ps(out + kLane, second, high[i]);
            out += s.out_stride;
        }
    }

    /// `last`: lanes of the last vector.
    template <int kVectors>
    [[gnu::target("avx2,fma"), gnu::noinline]] static void listed_of(const ListedSum& s, std::uint32_t n,
                                                                     std::uint32_t last) {
        const __m256i some = tail(last);
        __m256 sum[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v)
            sum[v] = s.initial == nullptr ? _mm256_setzero_ps()
                                          : load(v + 1 < kVectors ? tail(kLane) : some, s.initial + n + v * kLane);
        for (std::uint32_t i = 0; i < s.count; ++i) {
            const float* const row = s.rows + s.index[i] * s.rows_stride + n;
            const __m256 times = _mm256_broadcast_ss(&s.factor[i]);
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v) {
                const __m256 weight = v + 1 < kVectors ? load(row + v * kLane) : load(some, row + v * kLane);
                sum[v] = _mm256_fmadd_ps(times, weight, sum[v]);
            }
        }
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v)
            _mm256_maskstore_ps(s.out + n + v * kLane, v + 1 < kVectors ? tail(kLane) : some, sum[v]);
    }

    /// A panel of `terms` rows.
    [[gnu::target("avx2,fma")]] static void copy(float* panel, const float* rows, std::size_t stride,
                                                 std::uint32_t terms, std::uint32_t wide) {
        const __m256i low = tail(wide), high = tail(wide - std::min(wide, kLane));
        for (std::uint32_t k = 0; k < terms; ++k, rows += stride, panel += kWide) {
            _mm256_store_ps(panel, load(low, rows));
            if (wide > kLane) _mm256_store_ps(panel + kLane, load(high, rows + kLane));
        }
    }

    // Instructions, since the compiler may merge, repeat or drop the intrinsics of plain moves.
    [[gnu::target("avx2")]] static __m256 load(const float* from) {
        __m256 values;
        asm volatile("vmovups %1, %0" : "=x"(values) : "m"(*reinterpret_cast<const Eight*>(from)));
        return values;
    }

    [[gnu::target("avx2")]] static __m256 load(__m256i mask, const float* from) {
        __m256 values;
        asm volatile("vmaskmovps %1, %2, %0" : "=x"(values) : "m"(*reinterpret_cast<const Eight*>(from)), "x"(mask));
        return values;
    }

    /// The first `count` lanes, at most all.
    [[gnu::target("avx2")]] static __m256i tail(std::uint32_t count) {
        return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(std::min(count, kLane))),
                                  _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
};

} // namespace hogwild
