// A convolution with subsampling (kernels/stages/conv_pool.h) back, from winners alone, since no other place of a window has a slope: a
// pool x pool-th of the multiplications that whole maps take. Of one image.
//
// Along weights: some filters' lines of a window stay in registers while their winners go by, each of which adds what lies at its place
// of the image. Along the image: of all filters that won at one place of a window, which words of bits list, the weights are summed in
// registers. So each product is an instruction that reads one operand from a near cache. When a line of the map has its windows, they
// are added where they belong, vector by vector of the image's lines: one by one, each would wait for the stores of the one before,
// with which it overlaps.
// Terms and their order are those of whole maps by sums of rows (kernels/layers/weighted.h), without those of a slope of 0: so are the
// bits, as with listed sums (kernels/lanes/dense.h).
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/layers/activation.h"
#include "kernels/stages/tile_shape.h"
#include "kernels/stages/vectors.h"
#include "kernels/stages/window_parts.h"
#include "kernels/stages/winner_lists.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hogwild {

/// Adds an image's gradient to what is there, of the lines [begin, end) of windows.
struct GradientByWinners {
    const float* image;     // padded
    float* lists;           // kernels/stages/winner_lists.h
    float* turned_gradient; // kernels/stages/tile_shape.h
    float* biases;          // their gradient
    std::uint32_t begin, end;

    template <class Lanes>
    static void run(const TileShape& tile, const GradientByWinners& of);
};

/// Slopes along an image and the zeros around it. Precondition: at most kMostFilters.
struct SlopesByWinners {
    const float* turned_weights; // kernels/stages/tile_shape.h
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

/// All of an image's way back.
struct BackByWinners {
    const float* turned_weights; // kernels/stages/tile_shape.h
    const float* image;          // padded
    const float* pooled;
    const std::uint8_t* winners; // tile.filters() a window
    const float* pooled_slopes;
    float* through;         // shape.pooled_size()
    float* lists;           // WinnerLists::floats
    float* turned_gradient; // what it holds is added to
    float* biases;          // their gradient; added to
    float* windows;         // SlopesByWinners::floats
    float* input_slopes;    // padded; null: not wanted

    template <class Lanes>
    static void run(const TileShape& tile, const BackByWinners& of);
};

/// V: vectors of filters; Run: of a window's line.
template <class V, class Run>
class WinnerTiles {
public:
    static void add_gradient(const TileShape& tile, const GradientByWinners& of) {
        WindowParts<Run>::for_each(of.begin, of.end, tile.run() / Run::kWidth,
                                   [&]<int kLines, int kVectors>(std::uint32_t ky, std::uint32_t v) {
                                       gradient<kLines, kVectors>(tile, of, ky, v * Run::kWidth);
                                   });
    }

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

template <class Lanes>
void GradientByWinners::run(const TileShape& tile, const GradientByWinners& of) {
    using V = VectorsOf<Lanes>;
    if (tile.run_width < tile.width)
        WinnerTiles<V, typename ShortRun<Lanes>::Type>::add_gradient(tile, of);
    else
        WinnerTiles<V, V>::add_gradient(tile, of);
}

template <class Lanes>
void SlopesByWinners::run(const TileShape& tile, const SlopesByWinners& of) {
    using V = VectorsOf<Lanes>;
    if (tile.run_width < tile.width)
        WinnerTiles<V, typename ShortRun<Lanes>::Type>::input_slopes(tile, of);
    else
        WinnerTiles<V, V>::input_slopes(tile, of);
}

template <class Lanes>
void BackByWinners::run(const TileShape& tile, const BackByWinners& of) {
    const ConvPoolShape& shape = tile.of;
    std::copy_n(of.pooled_slopes, shape.pooled_size(), of.through);
    through_activation(Activation::kRelu, of.pooled, of.through, shape.pooled_size());
    WinnerLists(shape, of.lists).make(of.through, of.winners, tile.filters());
    GradientByWinners::run<Lanes>(tile, {of.image, of.lists, of.turned_gradient, of.biases, 0, shape.kernel});
    if (of.input_slopes != nullptr)
        SlopesByWinners::run<Lanes>(tile, {of.turned_weights, of.through, of.winners, of.windows, of.input_slopes});
}

} // namespace hogwild
