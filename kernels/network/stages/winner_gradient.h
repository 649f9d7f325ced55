// The gradient along a convolution's weights from the winners of one image (kernels/network/stages/winner_lists.h).
// Some filters' lines of a window stay in registers while their winners go by. Each winner adds what lies at its place
// of the image. So each product is an instruction that reads one operand from a near cache.
//
// Terms and their order are those of whole maps by sums of rows (kernels/network/layers/weighted.h), without terms of a
// slope of 0. The bits are the same too, as with listed sums (kernels/lanes/dense.h).
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/network/stages/tile_shape.h"
#include "kernels/network/stages/vectors.h"
#include "kernels/network/stages/window_parts.h"
#include "kernels/network/stages/winner_lists.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

/// Adds an image's gradient to what is there, of the lines [begin, end) of windows.
struct GradientByWinners {
    const float* image;     // padded
    float* lists;           // kernels/network/stages/winner_lists.h
    float* turned_gradient; // kernels/network/stages/tile_shape.h
    float* biases;          // their gradient
    std::uint32_t begin, end;

    template <class Lanes>
    static void run(const TileShape& tile, const GradientByWinners& of);
};

/// Run: vectors of a window's line.
template <class Run>
class GradientTiles {
public:
    static void add_gradient(const TileShape& tile, const GradientByWinners& of) {
        WindowParts<Run>::for_each(of.begin, of.end, tile.run() / Run::kWidth,
                                   [&]<int kLines, int kVectors>(std::uint32_t ky, std::uint32_t v) {
                                       gradient<kLines, kVectors>(tile, of, ky, v * Run::kWidth);
                                   });
    }

private:
    using Floats = typename Run::Floats;

    /// Floats of the last of kVectors vectors from entry j of a line on: those of the window alone.
    template <int kVectors>
    static std::uint32_t last(const TileShape& tile, std::uint32_t j) {
        return std::min(Run::kWidth, tile.of.window_line() - j - (kVectors - 1) * Run::kWidth);
    }

    /// Lines [ky, ky + kLines) of all filters' windows, kVectors from entry j on.
    template <int kLines, int kVectors>
    static void gradient(const TileShape& tile, const GradientByWinners& of, std::uint32_t ky, std::uint32_t j) {
        constexpr bool kTwo = kLines * kVectors < 8 && 2 * kLines * kVectors <= static_cast<int>(Run::kSums);
        constexpr int kFilters = kTwo ? 2 : 1; // chains that are no shorter
        std::uint32_t f = 0;
        for (; f + kFilters <= tile.of.filters; f += kFilters)
            gradient_of<kLines, kVectors, kFilters>(tile, of, ky, j, f);
        for (; f < tile.of.filters; ++f) gradient_of<kLines, kVectors, 1>(tile, of, ky, j, f);
    }

    template <int kLines, int kVectors, int kFilters>
    static void gradient_of(const TileShape& tile, const GradientByWinners& of, std::uint32_t ky, std::uint32_t j,
                            std::uint32_t f) {
        const std::size_t line = tile.of.line(), run = tile.run();
        const std::uint32_t wide = last<kVectors>(tile, j);
        const WinnerLists lists(tile.of, of.lists);
        const float* const first = of.image + ky * line + j;
        float* const out = of.turned_gradient + f * tile.turned() + ky * run + j;
        Floats sum[kFilters][kLines][kVectors];
        float bias[kFilters];
        const float* winner[kFilters];
        std::uint32_t least = lists.count(f);
#pragma GCC unroll 2
        for (int n = 0; n < kFilters; ++n) {
#pragma GCC unroll 5
            for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                for (int v = 0; v < kVectors; ++v)
                    Run::load(sum[n][y][v], out + n * tile.turned() + y * run + v * Run::kWidth);
            }
            bias[n] = of.biases[f + n];
            winner[n] = lists.of(f + n);
            least = std::min(least, lists.count(f + n));
        }
        const auto add = [&](int n) __attribute__((always_inline)) {
            const float* const window = first + WinnerLists::begin(winner[n]);
            Floats slope;
            Run::spread(slope, WinnerLists::slope(winner[n]));
            bias[n] += WinnerLists::slope(winner[n]);
            winner[n] += 2;
#pragma GCC unroll 5
            for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                for (int v = 0; v < kVectors; ++v) {
                    Floats entries;
                    if (v + 1 < kVectors)
                        Run::load(entries, window + y * line + v * Run::kWidth);
                    else
                        Run::load_first(entries, window + y * line + v * Run::kWidth, wide);
                    Run::add_product(sum[n][y][v], entries, slope);
                }
            }
        };
        for (std::uint32_t k = least; k > 0; --k) {
#pragma GCC unroll 2
            for (int n = 0; n < kFilters; ++n) add(n);
        }
#pragma GCC unroll 2
        for (int n = 0; n < kFilters; ++n) {
            for (std::uint32_t k = lists.count(f + n) - least; k > 0; --k) add(n);
#pragma GCC unroll 5
            for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                for (int v = 0; v < kVectors; ++v)
                    Run::store(out + n * tile.turned() + y * run + v * Run::kWidth, sum[n][y][v]);
            }
            if (ky == of.begin && j == 0) of.biases[f + n] = bias[n];
        }
    }
};

template <class Lanes>
void GradientByWinners::run(const TileShape& tile, const GradientByWinners& of) {
    if (tile.run_width < tile.width)
        GradientTiles<typename ShortRun<Lanes>::Type>::add_gradient(tile, of);
    else
        GradientTiles<VectorsOf<Lanes>>::add_gradient(tile, of);
}

} // namespace hogwild
