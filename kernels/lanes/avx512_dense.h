// Sums of rows of weights (kernels/lanes/dense.h) in AVX-512. Tiles of up to 12 outputs x 32 columns stay in registers,
// with k innermost. They are wider where there are fewer outputs.
//
// A panel is 32 columns of up to 512 terms. It is copied to the stack first where many tiles read it and no cache near
// holds all rows. It is copied too where rows are transposed: a transposition is then paid once. The first tiles ask
// for the panel that comes next. Hardware contract: that of kernels/lanes/avx512.h.
#pragma once

#include "kernels/lanes/avx2_dense.h"
#include "kernels/lanes/avx512_moves.h"
#include "kernels/lanes/avx512_narrow.h"
#include "kernels/lanes/dense.h"
#include "kernels/lanes/tile_heights.h"

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

class Avx512Dense : Avx512Moves {
public:
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void sums(const DenseSums& s) {
        const std::uint32_t end = s.columns - s.columns % kPanel;
        const bool narrow = Avx512Narrow::suits(s, s.columns - end);
        const std::uint32_t columns = narrow ? end : s.columns;
        const bool many = s.outs > 3 * kTall && s.terms > kDeep && s.terms * s.rows_stride > kNear;
        const std::uint32_t rest = columns % kLane;
        if (s.transposed || many) {
            by_panels(s, columns);
        } else if (rest > 0 && rest <= kLane / 2 && s.terms >= 64 && (s.outs > kTall / 2 || columns == rest)) {
            in_place(s, columns - rest);
            Avx2Dense::sums(
                of_columns(s, columns - rest, rest)); // half a vector, which takes some processors half the time
        } else {
            in_place(s, columns);
        }
        if (narrow) Avx512Narrow::sums(s, end, s.columns - end);
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void listed(const ListedSum& s) {
        for (std::uint32_t n = 0; n < s.columns;) {
            const std::uint32_t vectors = (s.columns - n + kLane - 1) / kLane;
            if (vectors >= 8)
                listed_of<8>(s, n);
            else if (vectors >= 4)
                listed_of<4>(s, n);
            else if (vectors >= 2)
                listed_of<2>(s, n);
            else
                listed_of<1>(s, n);
            n += kLane * (vectors >= 8 ? 8 : vectors >= 4 ? 4 : vectors >= 2 ? 2 : 1);
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void
    transpose(float* own, std::size_t own_stride, const float* shared, std::size_t stride, std::uint32_t rows,
              std::uint32_t columns) {
        for (std::uint32_t i = 0; i < rows; i += kLane) {
            const std::uint32_t tall = std::min(rows - i, kLane);
            for (std::uint32_t j = 0; j < columns; j += kLane) {
                const std::uint32_t wide = std::min(columns - j, kLane);
                __m512 r[kLane];
#pragma GCC unroll 16
                for (std::uint32_t l = 0; l < kLane; ++l)
                    r[l] = l < tall ? load(tail(wide), shared + (i + l) * stride + j) : _mm512_setzero_ps();
                turn(r);
#pragma GCC unroll 16
                for (std::uint32_t l = 0; l < kLane; ++l)
                    if (l < wide) _mm512_mask_storeu_ps(own + (j + l) * own_stride + i, tail(tall), r[l]);
            }
        }
    }

private:
    static DenseSums of_columns(DenseSums s, std::uint32_t n, std::uint32_t wide) {
        s.out += n;
        if (s.initial != nullptr) s.initial += n;
        s.rows += n;
        s.columns = wide;
        return s;
    }

    static constexpr std::uint32_t kTall = 12, kPanel = 32,
                                   kDeep = 512;      // outputs of a tile, columns and terms of a panel
    static constexpr std::size_t kNear = 256 * 1024; // floats that a second-level cache holds

    /// Some columns of all outputs, of the terms [from, to); `rows` are those of term `from` and behind. `ahead` is what a later
    /// part will read, a line for each term.
    struct Part {
        float* out;
        const float* initial;
        std::size_t initial_stride;
        const float* rows;
        std::size_t rows_stride;
        std::uint32_t from, to, wide;
        const float* ahead;
        std::size_t ahead_stride;
    };

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void in_place(const DenseSums& s,
                                                                               std::uint32_t columns) {
        const std::uint32_t most = s.outs <= 3 ? 8 : s.outs <= 6 ? 4 : 2; // vectors of a tile
        for (std::uint32_t n = 0; n < columns;) {
            const std::uint32_t left = (columns - n + kLane - 1) / kLane;
            const std::uint32_t vectors = std::min(most, left >= 8 ? 8u : left >= 4 ? 4u : left >= 2 ? 2u : 1u);
            const std::uint32_t wide = std::min(columns - n, vectors * kLane);
            const float* const rows = s.rows + n;
            const float* const initial = s.initial == nullptr ? nullptr : s.initial + n;
            all_outs(s, {s.out + n, initial, s.initial_stride, rows, s.rows_stride, 0, s.terms, wide, rows, 0});
            n += wide;
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void by_panels(const DenseSums& s,
                                                                                std::uint32_t columns) {
        alignas(64) float panel[kDeep * kPanel];
        for (std::uint32_t n = 0; n < columns; n += kPanel) {
            const std::uint32_t wide = std::min(columns - n, kPanel);
            const float* initial = s.initial == nullptr ? nullptr : s.initial + n;
            std::size_t initial_stride = s.initial_stride;
            std::uint32_t k = 0;
            do { // once also of no terms
                const std::uint32_t to = std::min(s.terms, k + kDeep);
                const float* const next = to < s.terms ? s.weight(to, n) : s.weight(0, n + kPanel);
                if (s.transposed)
                    transpose(panel, kPanel, s.weight(k, n), s.rows_stride, wide, to - k);
                else
                    copy(panel, s.weight(k, n), s.rows_stride, to - k, wide);
                all_outs(s, {s.out + n, initial, initial_stride, panel, kPanel, k, to, wide,
                             s.transposed ? panel : next, s.transposed ? 0 : s.rows_stride});
                initial = s.out + n;
                initial_stride = s.out_stride;
                k = to;
            } while (k < s.terms);
        }
    }

    /// A panel of `terms` rows.
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void
    copy(float* panel, const float* rows, std::size_t stride, std::uint32_t terms, std::uint32_t wide) {
        const __mmask16 low = tail(wide), high = tail(wide - std::min(wide, kLane));
        for (std::uint32_t k = 0; k < terms; ++k, rows += stride, panel += kPanel) {
            _mm512_store_ps(panel, load(low, rows));
            if (high != 0) _mm512_store_ps(panel + kLane, load(high, rows + kLane));
        }
    }

    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void all_outs(const DenseSums& s, Part part) {
        const std::uint32_t tiles = (s.outs + kTall - 1) / kTall;
        for (std::uint32_t t = 0, m = 0; t < tiles; ++t) {
            const std::uint32_t tall = (s.outs - m + tiles - t - 1) / (tiles - t); // as equal as they can be
            if (part.wide > 4 * kLane)
                tile_of<3, 8>(tall, s, part, m);
            else if (part.wide > 2 * kLane)
                tile_of<6, 4>(tall, s, part, m);
            else if (part.wide > kLane)
                tile_of<12, 2>(tall, s, part, m);
            else
                tile_of<12, 1>(tall, s, part, m);
            part.ahead += kLane; // two tiles ask for the two lines of a row
            if (t > 0) part.ahead_stride = 0;
            m += tall;
        }
    }

    /// `kMost`: rows that a tile of so many vectors may have.
    template <std::uint32_t kMost, int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] static void tile_of(std::uint32_t tall, const DenseSums& s,
                                                                              const Part& part, std::uint32_t m) {
        with_height<kMost>(tall, [&]<std::uint32_t kTall>() { tile<kTall, kVectors>(s, part, m); });
    }

    template <int kOuts, int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void
    tile(const DenseSums& s, const Part& part, std::uint32_t m) {
        const __mmask16 last = tail(part.wide - (kVectors - 1) * kLane);
        __m512 sum[kOuts][kVectors];
        const float* initial = part.initial == nullptr ? nullptr : part.initial + m * part.initial_stride;
#pragma GCC unroll 12
        for (int i = 0; i < kOuts; ++i) {
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v)
                sum[i][v] = initial == nullptr ? _mm512_setzero_ps()
                            : v + 1 < kVectors ? load(initial + v * kLane)
                                               : load(last, initial + v * kLane);
            if (initial != nullptr) initial += part.initial_stride;
        }
        const std::size_t row = s.factors.row, step = s.factors.step, stride = part.rows_stride;
        const float *rows = part.rows, *ahead = part.ahead;
        const float* run = s.factors.first + m * row;
        std::uint32_t within = 0;
        if (part.from > 0) { // a division takes as long as a short run
            run = s.factors.at(m, part.from);
            within = part.from % s.factors.length;
        }
        const auto next = static_cast<std::ptrdiff_t>(s.factors.run);
        for (std::uint32_t k = part.from; k < part.to;) {
            const std::uint32_t count = std::min(part.to - k, s.factors.length - within);
            const float* factor[(kOuts + 2) / 3]; // of every third output: fewer pointers than outputs
#pragma GCC unroll 4
            for (int i = 0; i < kOuts; i += 3) factor[i / 3] = run + i * row;
            for (std::uint32_t left = count; left > 0; --left) {
                __m512 weight[kVectors];
#pragma GCC unroll 8
                for (int v = 0; v < kVectors; ++v)
                    weight[v] = v + 1 < kVectors ? load(rows + v * kLane) : load(last, rows + v * kLane);
#pragma GCC unroll 12
                for (int i = 0; i < kOuts; ++i) {
                    const __m512 times = _mm512_set1_ps(factor[i / 3][i % 3 * row]);
#pragma GCC unroll 8
                    for (int v = 0; v < kVectors; ++v) sum[i][v] = _mm512_fmadd_ps(times, weight[v], sum[i][v]);
                }
#pragma GCC unroll 4
                for (int i = 0; i < kOuts; i += 3) factor[i / 3] += step;
                rows += stride;
                __builtin_prefetch(ahead);
                ahead += part.ahead_stride;
            }
            k += count;
            run += next - static_cast<std::ptrdiff_t>(within * step);
            within = 0;
        }
        float* out = part.out + m * s.out_stride;
#pragma GCC unroll 12
        for (int i = 0; i < kOuts; ++i) {
#pragma GCC unroll 8
            for (int v = 0; v < kVectors; ++v)
                if (v + 1 < kVectors)
                    _mm512_storeu_ps(out + v * kLane, sum[i][v]);
                else
                    _mm512_mask_storeu_ps(out + v * kLane, last, sum[i][v]);
            out += s.out_stride;
        }
    }

    template <int kVectors>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq"), gnu::noinline]] static void listed_of(const ListedSum& s,
                                                                                               std::uint32_t n) {
        const __mmask16 last = tail(s.columns - n - (kVectors - 1) * kLane);
        __m512 sum[kVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kVectors; ++v)
            sum[v] = s.initial == nullptr ? _mm512_setzero_ps()
                                          : load(v + 1 < kVectors ? kAll : last, s.initial + n + v * kLane);
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
};

} // namespace hogwild
