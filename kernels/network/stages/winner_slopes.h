// Slopes along the image of a convolution with subsampling (kernels/network/stages/conv_pool.h) from its winners, of
// one image. The words of bits of a place of the map list all filters that won there. Their weights are summed in
// registers. When a line of the map has its windows, they are added where they belong, vector by vector of the image's
// lines. One by one, each would wait for the stores of the one before, with which it overlaps.
//
// Terms and their order are those of whole maps by sums of rows (kernels/network/layers/weighted.h), without terms of a
// slope of 0. The bits are the same too, as with listed sums (kernels/lanes/dense.h).
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/network/stages/tile_shape.h"
#include "kernels/network/stages/vectors.h"
#include "kernels/network/stages/window_parts.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hogwild {

/// Slopes along an image and the zeros around it. Precondition: at most kMostFilters.
struct SlopesByWinners {
    const float* turned_weights; // kernels/network/stages/tile_shape.h
    const float* through;        // slopes along what was pooled
    const std::uint8_t* winners; // tile.filters() a window
    float* windows;              // room for the slopes of a line of the map's windows: floats(tile)
    float* input_slopes;         // padded

    static constexpr std::uint32_t kMostFilters = 1024;

    /// A window's lines lie apart, with zeros between them, so that what begins anywhere in them is a vector.
    static constexpr std::size_t apart(const TileShape& tile) { return tile.run() + tile.run_width; }
    static constexpr std::size_t floats(const TileShape& tile) {
        return std::size_t{tile.of.map_width()} * tile.of.kernel * apart(tile) + tile.run_width;
    }

    template <class Lanes>
    static void run(const TileShape& tile, const SlopesByWinners& of);
};

/// V: vectors of filters; Run: of a window's line.
template <class V, class Run>
class SlopesTiles {
public:
    static void input_slopes(const TileShape& tile, const SlopesByWinners& of) {
        const ConvPoolShape& shape = tile.of;
        const std::size_t window = shape.kernel * SlopesByWinners::apart(tile);
        std::fill_n(of.input_slopes, shape.padded_size(), 0.0f);
        std::fill_n(of.windows, SlopesByWinners::floats(tile), 0.0f);
        for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
            for (std::uint32_t dy = 0; dy < shape.pool; ++dy) {
                const float* through = of.through + std::size_t{y} * shape.pooled_width() * shape.filters;
                const std::uint8_t* winners = of.winners + std::size_t{y} * shape.pooled_width() * tile.filters();
                float* to = of.windows;
                for (std::uint32_t x = 0; x < shape.pooled_width(); ++x) {
                    for (std::uint32_t dx = 0; dx < shape.pool; ++dx, to += window)
                        sum_window(tile, of.turned_weights,
                                   Place(shape.filters, through, winners, dy * shape.pool + dx), to);
                    through += shape.filters;
                    winners += tile.filters();
                }
                add_windows(tile, of.windows, of.input_slopes + (y * shape.pool + dy) * shape.line());
            }
        }
    }

private:
    using Floats = typename Run::Floats;

    /// The filters that won at one place of the map with a slope other than 0.
    struct Place {
        static constexpr std::uint32_t kWord = 64;

        const float* through;
        std::uint32_t words;
        std::uint64_t listed[SlopesByWinners::kMostFilters / kWord];

        Place(std::uint32_t filters, const float* slopes, const std::uint8_t* winners, std::uint32_t number)
            : through(slopes), words((filters + kWord - 1) / kWord) {
            for (std::uint32_t w = 0; w < words; ++w) {
                std::uint64_t list = 0;
                for (std::uint32_t n = 0, f = w * kWord; n < kWord && f < filters; n += V::kWidth, f += V::kWidth) {
                    typename V::Floats some;
                    V::load_first(some, slopes + f, std::min(V::kWidth, filters - f));
                    const std::uint32_t won = V::equal_bytes(winners + f, static_cast<std::uint8_t>(number));
                    list |= std::uint64_t{won & V::not_zero(some)} << n;
                }
                listed[w] = list;
            }
        }
    };

    static void sum_window(const TileShape& tile, const float* turned_weights, const Place& place, float* window) {
        WindowParts<Run>::for_each(0, tile.of.kernel, tile.run() / Run::kWidth,
                                   [&]<int kLines, int kVectors>(std::uint32_t ky, std::uint32_t v) {
                                       sum_part<kLines, kVectors>(tile, turned_weights, place, ky, v * Run::kWidth,
                                                                  window);
                                   });
    }

    /// Lines [ky, ky + kLines) of a place's window, kVectors from entry j on.
    template <int kLines, int kVectors>
    static void sum_part(const TileShape& tile, const float* turned_weights, const Place& place, std::uint32_t ky,
                         std::uint32_t j, float* window) {
        constexpr std::size_t kRun = kVectors * Run::kWidth;
        if (tile.run() == kRun)
            sum_part<kLines, kVectors>(tile, turned_weights, place, ky, j, window,
                                       std::integral_constant<std::size_t, kRun>());
        else
            sum_part<kLines, kVectors>(tile, turned_weights, place, ky, j, window, std::size_t{tile.run()});
    }

    /// `run`: tile.run(), better of a type that says it.
    template <int kLines, int kVectors>
    static void sum_part(const TileShape& tile, const float* turned_weights, const Place& place, std::uint32_t ky,
                         std::uint32_t j, float* window, const auto run) {
        const float* turned = turned_weights + ky * run + j;
        const float* through = place.through;
        Floats sum[kLines][kVectors];
#pragma GCC unroll 5
        for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
            for (int v = 0; v < kVectors; ++v) Run::spread(sum[y][v], 0.0f);
        }
        for (std::uint32_t w = 0; w < place.words; ++w) {
            for (std::uint64_t list = place.listed[w]; list != 0; list &= list - 1) {
                const int n = std::countr_zero(list);
                Floats slope;
                Run::spread(slope, through[n]);
                const float* const weights = turned + n * tile.turned();
#pragma GCC unroll 5
                for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                    for (int v = 0; v < kVectors; ++v) {
                        Floats weight;
                        Run::load(weight, weights + y * run + v * Run::kWidth);
                        Run::add_product(sum[y][v], weight, slope);
                    }
                }
            }
            through += Place::kWord;
            turned += Place::kWord * tile.turned();
        }
        const std::size_t apart = SlopesByWinners::apart(tile);
        window += ky * apart + Run::kWidth + j;
#pragma GCC unroll 5
        for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
            for (int v = 0; v < kVectors; ++v) Run::store(window + y * apart + v * Run::kWidth, sum[y][v]);
        }
    }

    /// The windows of a line of the map, of which `to` is the first line of the image.
    static void add_windows(const TileShape& tile, const float* windows, float* to) {
        const ConvPoolShape& shape = tile.of;
        const std::uint32_t channels = shape.channels, line = shape.line();
        const std::uint32_t places = shape.pooled_width() * shape.pool;
        const std::size_t apart = SlopesByWinners::apart(tile), window = shape.kernel * apart;
        std::uint32_t first = 0, behind = 0; // windows that these entries of a line are in
        for (std::uint32_t k = 0; k < line; k += Run::kWidth) {
            const std::uint32_t wide = std::min(Run::kWidth, line - k);
            while (first < places && first * channels + shape.window_line() <= k) ++first;
            while (behind < places && behind * channels < k + wide) ++behind;
            for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
                float* const at = to + ky * line + k;
                const float* from = windows + first * window + ky * apart + Run::kWidth + k - first * channels;
                Floats sum, slopes;
                Run::load_first(sum, at, wide);
                for (std::uint32_t x = first; x < behind; ++x, from += window - channels) {
                    Run::load(slopes, from);
                    Run::add(sum, slopes);
                }
                Run::store_first(at, sum, wide);
            }
        }
    }
};

template <class Lanes>
void SlopesByWinners::run(const TileShape& tile, const SlopesByWinners& of) {
    using V = VectorsOf<Lanes>;
    if (tile.run_width < tile.width)
        SlopesTiles<V, typename ShortRun<Lanes>::Type>::input_slopes(tile, of);
    else
        SlopesTiles<V, V>::input_slopes(tile, of);
}

} // namespace hogwild
