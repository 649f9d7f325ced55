// A convolution with subsampling (kernels/network/stages/conv_pool.h) forward, window by window. A tile is some
// neighbouring windows of some vectors of filters. The sums of their places are made in registers and pooled there. For
// one image.
//
// Each sum is one chain of fused multiply-adds in the order of rows, as all of kernels/lanes/dense.h: its bits are theirs.
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/network/activation.h"
#include "kernels/network/stages/tile_shape.h"
#include "kernels/network/stages/vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

/// What it reads and writes.
struct ForwardByWindows {
    const float* rows;  // kernels/network/stages/tile_shape.h
    const float* image; // padded
    float* pooled;
    std::uint8_t* winners;                     // tile.filters() a window
    Activation activation = Activation::kRelu; // or none

    template <class Lanes>
    static void run(const TileShape& tile, const ForwardByWindows& of);
};

template <class V>
class WindowTiles {
public:
    static void forward(const TileShape& tile, const ForwardByWindows& of) {
        switch (tile.of.pool) {
        case 1: return pooled_map<1>(tile, of);
        case 2: return pooled_map<2>(tile, of);
        default: return pooled_map<3>(tile, of);
        }
    }

private:
    using Floats = typename V::Floats;
    using Numbers = typename V::Numbers;

    template <int kPool>
    static void pooled_map(const TileShape& tile, const ForwardByWindows& of) {
        constexpr int kPlaces = kPool * kPool;
        for (std::uint32_t f = 0; f < tile.filters();) {
            if (tile.filters() - f > V::kWidth && 2 * kPlaces <= V::kSums) {
                columns<kPool, 2>(tile, of, f);
                f += 2 * V::kWidth;
            } else {
                columns<kPool, 1>(tile, of, f);
                f += V::kWidth;
            }
        }
    }

    /// Computes some vectors of filters, from number f on.
    template <int kPool, int kVectors>
    static void columns(const TileShape& tile, const ForwardByWindows& of, std::uint32_t f) {
        constexpr std::uint32_t kMost = std::clamp<std::uint32_t>(V::kSums / (kPool * kPool * kVectors), 1, 6);
        const std::uint32_t wide = tile.of.pooled_width(), tiles = (wide + kMost - 1) / kMost;
        for (std::uint32_t y = 0; y < tile.of.pooled_height(); ++y) {
            for (std::uint32_t t = 0, x = 0; t < tiles; ++t) {
                const std::uint32_t count = (wide - x + tiles - t - 1) / (tiles - t); // as equal as they can be
                some_windows<kPool, kVectors, kMost>(count, tile, of, f, y, x);
                x += count;
            }
        }
    }

    template <int kPool, int kVectors, std::uint32_t kWindows>
    static void some_windows(std::uint32_t count, const TileShape& tile, const ForwardByWindows& of, std::uint32_t f,
                             std::uint32_t y, std::uint32_t x) {
        if (count == kWindows) return windows<kPool, kVectors, kWindows>(tile, of, f, y, x);
        if constexpr (kWindows > 1) some_windows<kPool, kVectors, kWindows - 1>(count, tile, of, f, y, x);
    }

    template <int kPool, int kVectors, std::uint32_t kWindows>
    static void windows(const TileShape& tile, const ForwardByWindows& of, std::uint32_t f, std::uint32_t y,
                        std::uint32_t x) {
        constexpr int kAcross = kWindows * kPool; // places of a line
        const ConvPoolShape& shape = tile.of;
        const std::size_t stride = tile.filters(), channels = shape.channels, line = shape.line();
        Floats sum[kPool][kAcross][kVectors], weight[kVectors], factor;
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) V::load(weight[v], of.rows + shape.depth() * stride + f + v * V::kWidth);
#pragma GCC unroll 3
        for (int dy = 0; dy < kPool; ++dy) {
#pragma GCC unroll 12
            for (int dx = 0; dx < kAcross; ++dx) {
#pragma GCC unroll 2
                for (int v = 0; v < kVectors; ++v) sum[dy][dx][v] = weight[v];
            }
        }
        const float* row = of.rows + f;
        const float* window = of.image + shape.corner(y, x);
        for (std::uint32_t ky = 0; ky < shape.kernel; ++ky, window += line) {
            const float* at[kPool][(kAcross + 2) / 3]; // of every third place: fewer pointers than places
#pragma GCC unroll 3
            for (int dy = 0; dy < kPool; ++dy) {
#pragma GCC unroll 4
                for (int dx = 0; dx < kAcross; dx += 3) at[dy][dx / 3] = window + dy * line + dx * channels;
            }
            for (std::uint32_t j = shape.window_line(); j > 0; --j, row += stride) {
#pragma GCC unroll 2
                for (int v = 0; v < kVectors; ++v) V::load(weight[v], row + v * V::kWidth);
#pragma GCC unroll 3
                for (int dy = 0; dy < kPool; ++dy) {
#pragma GCC unroll 12
                    for (int dx = 0; dx < kAcross; ++dx) {
                        V::spread(factor, at[dy][dx / 3][dx % 3 * channels]);
#pragma GCC unroll 2
                        for (int v = 0; v < kVectors; ++v) V::add_product(sum[dy][dx][v], factor, weight[v]);
                    }
#pragma GCC unroll 4
                    for (int dx = 0; dx < kAcross; dx += 3) ++at[dy][dx / 3];
                }
            }
        }
        const std::size_t first = y * shape.pooled_width() + x;
#pragma GCC unroll 6
        for (std::uint32_t w = 0; w < kWindows; ++w) {
#pragma GCC unroll 2
            for (std::uint32_t v = 0; v < kVectors; ++v) {
                Numbers winners;
                V::zeros(winners);
                Floats& best = sum[0][w * kPool][v];
#pragma GCC unroll 9
                for (int q = 1; q < kPool * kPool; ++q)
                    V::take_larger(best, winners, sum[q / kPool][w * kPool + q % kPool][v], q);
                if (of.activation == Activation::kRelu) V::not_negative(best);
                const std::uint32_t filter = f + v * V::kWidth;
                V::store_bytes(of.winners + (first + w) * stride + filter, winners);
                V::store_first(of.pooled + (first + w) * shape.filters + filter, best,
                               std::min(V::kWidth, shape.filters - filter));
            }
        }
    }
};

template <class Lanes>
void ForwardByWindows::run(const TileShape& tile, const ForwardByWindows& of) {
    WindowTiles<VectorsOf<Lanes>>::forward(tile, of);
}

} // namespace hogwild
