// Weights and gradient as stages keep them whose sums stay in registers. Sizes are made up to whole vectors, and what
// makes them whole holds zeros.
//
//   rows      depth + 1 rows of tile.filters() numbers, as the weights are, for sums over rows
//   turned    for each filter its window, `kernel` lines of tile.run() numbers, for what goes by filter; no biases
//
// Thread-safety: weights may be written by others meanwhile; all else is the caller's own.
#pragma once

#include "kernels/atomic.h"
#include "kernels/network/stages/conv_pool.h"
#include "kernels/network/stages/vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

struct TileShape {
    ConvPoolShape of;
    std::uint32_t width = 1, run_width = 1; // floats of a vector of filters, and of one of a window's line

    constexpr std::uint32_t filters() const { return (of.filters + width - 1) / width * width; }
    /// A line of a window.
    constexpr std::uint32_t run() const { return (of.window_line() + run_width - 1) / run_width * run_width; }
    constexpr std::uint32_t turned() const { return of.kernel * run(); } // of a filter
    constexpr std::uint32_t rows() const { return (of.depth() + 1) * filters(); }
    constexpr std::uint32_t windows() const { return of.pooled_height() * of.pooled_width(); }

    /// Bytes of an image's winners, tile.filters() a window, and what a vector may read behind them.
    constexpr std::size_t winners() const { return std::size_t{windows()} * filters() + 16; }
};

/// Vectors of a window's line where lines are short: half as wide as those of filters.
template <class Lanes>
struct ShortRun {
    using Type = VectorsOf<Lanes>;
};

#if HOGWILD_VECTOR_LANES
template <>
struct ShortRun<Avx512Lanes> {
    using Type = VectorsOf<Avx2Lanes>;
};
#endif

/// Makes up sizes to vectors of the lanes; short lines of windows to half of them, which less often reach into a second cache line.
struct MakeTileShape {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, TileShape& tile) {
        constexpr std::uint32_t kWidth = VectorsOf<Lanes>::kWidth;
        tile = {shape, kWidth, kWidth == 16 && shape.window_line() <= 8 ? 8 : kWidth};
    }
};

struct MakeRows {
    template <class Lanes>
    static void run(const TileShape& tile, const float* weights, float* rows) {
        const std::uint32_t filters = tile.of.filters;
        for (std::uint32_t k = 0; k <= tile.of.depth(); ++k) {
            float* const row = rows + k * tile.filters();
            for (std::uint32_t f = 0; f < filters; ++f) row[f] = relaxed_load(weights[k * filters + f]);
            std::fill(row + filters, row + tile.filters(), 0.0f);
        }
    }
};

struct TurnWeights {
    template <class Lanes>
    static void run(const TileShape& tile, const float* weights, float* turned) {
        const ConvPoolShape& shape = tile.of;
        std::fill_n(turned, std::size_t{shape.filters} * tile.turned(), 0.0f);
        for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
            Lanes::Dense::transpose(turned + ky * tile.run(), tile.turned(),
                                    weights + ky * shape.window_line() * shape.filters, shape.filters,
                                    shape.window_line(), shape.filters);
        }
    }
};

/// A turned gradient and that of biases as the weights are.
struct TurnGradientBack {
    template <class Lanes>
    static void run(const TileShape& tile, const float* turned, const float* biases, float* gradient) {
        const ConvPoolShape& shape = tile.of;
        for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
            Lanes::Dense::transpose(gradient + ky * shape.window_line() * shape.filters, shape.filters,
                                    turned + ky * tile.run(), tile.turned(), shape.filters, shape.window_line());
        }
        std::copy_n(biases, shape.filters, gradient + shape.depth() * shape.filters);
    }
};

} // namespace hogwild
