// Sums of rows of weights (kernels/lanes/dense.h) of few columns in AVX-512, where the factors of neighbouring outputs
// are neighbours (row 1). Lanes are outputs, since there are more of them than columns. A weight goes to all lanes.
#pragma once

#include "kernels/lanes/avx512_moves.h"
#include "kernels/lanes/dense.h"

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class Avx512Narrow : Avx512Moves {
public:
    /// Whether it takes clearly fewer multiplications than lanes along the columns.
    static bool suits(const DenseSums& s, std::uint32_t columns) {
        const std::uint64_t along_outs = std::uint64_t{(s.outs + kLane - 1) / kLane} * columns;
        const std::uint64_t along_columns = std::uint64_t{s.outs} * ((columns + kLane - 1) / kLane);
        return s.factors.row == 1 && !s.transposed && s.terms >= kLane && 5 * along_outs <= 4 * along_columns;
    }

    /// Sums of the columns [n, n + wide).
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void sums(const DenseSums& s, std::uint32_t n,
                                                                           std::uint32_t wide) {
        for (std::uint32_t m = 0; m < s.outs; m += 2 * kLane) {
            const std::uint32_t parts = (wide + kMost - 1) / kMost;
            for (std::uint32_t p = 0, c = 0; p < parts; ++p) {
                const std::uint32_t some = (wide - c + parts - p - 1) / (parts - p); // as equal as they can be
                s.outs - m > kLane ? tile_of<2>(some, s, m, n + c) : tile_of<1>(some, s, m, n + c);
                c += some;
            }
        }
    }

private:
    static constexpr std::uint32_t kMost = 12; // columns of a tile

    template <int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void tile_of(std::uint32_t wide, const DenseSums& s,
                                                                              std::uint32_t m, std::uint32_t n) {
        switch (wide) {
        case 1: return tile<1, kVectors>(s, m, n);
        case 2: return tile<2, kVectors>(s, m, n);
        case 3: return tile<3, kVectors>(s, m, n);
        case 4: return tile<4, kVectors>(s, m, n);
        case 5: return tile<5, kVectors>(s, m, n);
        case 6: return tile<6, kVectors>(s, m, n);
        case 7: return tile<7, kVectors>(s, m, n);
        case 8: return tile<8, kVectors>(s, m, n);
        case 9: return tile<9, kVectors>(s, m, n);
        case 10: return tile<10, kVectors>(s, m, n);
        case 11: return tile<11, kVectors>(s, m, n);
        default: return tile<12, kVectors>(s, m, n);
        }
    }

    /// Outputs [m, m + 16 kVectors), as far as there are, x columns [n, n + kWide).
    template <int kWide, int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void
    tile(const DenseSums& s, std::uint32_t m, std::uint32_t n) {
        const std::uint32_t tall = std::min<std::uint32_t>(s.outs - m, kVectors * kLane);
        const __mmask16 last = tail(tall - (kVectors - 1) * kLane), columns = tail(kWide);
        __m512 sum[kVectors][kWide];
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
            const std::uint32_t first = m + v * kLane, count = std::min(s.outs - first, kLane);
            if (s.initial == nullptr || s.initial_stride == 0) {
#pragma GCC unroll 12
                for (int c = 0; c < kWide; ++c)
                    sum[v][c] = s.initial == nullptr ? _mm512_setzero_ps() : broadcast(s.initial + n + c);
                continue;
            }
            __m512 rows[kLane];
#pragma GCC unroll 16
            for (std::uint32_t l = 0; l < kLane; ++l)
                rows[l] =
                    l < count ? load(columns, s.initial + (first + l) * s.initial_stride + n) : _mm512_setzero_ps();
            turn(rows);
#pragma GCC unroll 12
            for (int c = 0; c < kWide; ++c) sum[v][c] = rows[c];
        }
        const float* rows = s.rows + n;
        for (std::uint32_t k = 0; k < s.terms;) {
            const float* factor = s.factors.at(m, k);
            const std::uint32_t end = std::min(s.terms, k + s.factors.length);
            for (; k < end; ++k, factor += s.factors.step, rows += s.rows_stride) {
                __m512 times[kVectors];
#pragma GCC unroll 2
                for (int v = 0; v < kVectors; ++v)
                    times[v] = _mm512_maskz_loadu_ps(v + 1 < kVectors ? kAll : last, factor + v * kLane);
#pragma GCC unroll 12
                for (int c = 0; c < kWide; ++c) {
                    const __m512 weight = broadcast(rows + c);
#pragma GCC unroll 2
                    for (int v = 0; v < kVectors; ++v) sum[v][c] = _mm512_fmadd_ps(times[v], weight, sum[v][c]);
                }
            }
        }
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
            const std::uint32_t first = m + v * kLane, count = std::min(s.outs - first, kLane);
            __m512 out[kLane];
#pragma GCC unroll 16
            for (int l = 0; l < static_cast<int>(kLane); ++l)
                out[l] = l < kWide ? sum[v][l < kWide ? l : 0] : _mm512_setzero_ps();
            turn(out);
#pragma GCC unroll 16
            for (std::uint32_t l = 0; l < kLane; ++l)
                if (l < count) _mm512_mask_storeu_ps(s.out + (first + l) * s.out_stride + n, columns, out[l]);
        }
    }
};

} // namespace hogwild
