// A convolution with subsampling (kernels/stages/conv_pool.h) back, from winners alone, since no other place of a window has a slope: a
// pool x pool-th of the multiplications that whole maps take. Of one image.
//
// Along weights: some filters' lines of a window stay in registers while their winners go by, each of which adds what lies at its place
// of the image. Along the image: of all filters that won at one place of a window, which a word of bits lists, the weights are summed
// in registers, then put where they belong. So each product is an instruction that reads one operand from a near cache.
// The terms are those of whole maps, in another order.
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/stages/tile_shape.h"
#include "kernels/stages/vectors.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace hogwild {

/// What it reads and writes. A vector behind `image` may be read, and behind `input_slopes` zeros are added.
struct BackByWinners {
    const float* turned_weights; // kernels/stages/tile_shape.h
    const float* image;          // padded
    const float* pooled;
    const std::uint8_t* winners; // tile.filters() a window
    const float* pooled_slopes;
    float* through;         // tile.filters() a window: slopes through relu
    float* turned_gradient; // what it holds is added to
    float* biases;          // tile.filters(), their gradient; added to
    float* input_slopes;    // padded; null: not wanted

    template <class Lanes>
    static void run(const TileShape& tile, const BackByWinners& of);
};

/// V: vectors of filters; Run: of a window's line.
template <class V, class Run>
class WinnerTiles {
public:
    static void back(const TileShape& tile, const BackByWinners& of) {
        slopes_through(tile, of);
        over_windows(tile.of.kernel, tile.run() / Run::kWidth, [&]<int kLines, int kVectors>(auto ky, auto v) {
            gradient<kLines, kVectors>(tile, of, ky, v * Run::kWidth);
        });
        if (of.input_slopes == nullptr) return;
        std::fill_n(of.input_slopes, tile.of.padded_size(), 0.0f);
        over_windows(tile.of.kernel, tile.run() / Run::kWidth, [&]<int kLines, int kVectors>(auto ky, auto v) {
            input_slopes<kLines, kVectors>(tile, of, ky, v * Run::kWidth);
        });
    }

private:
    using Floats = typename Run::Floats;

    /// Slopes along the pooled map become slopes along what was pooled; those along biases are their sums.
    static void slopes_through(const TileShape& tile, const BackByWinners& of) {
        const std::uint32_t filters = tile.of.filters;
        for (std::uint32_t f = 0; f < filters; f += V::kWidth) {
            const std::uint32_t count = std::min(V::kWidth, filters - f);
            typename V::Floats slope, deciding, sum;
            V::load(sum, of.biases + f);
            for (std::uint32_t p = 0; p < tile.windows(); ++p) {
                V::load_first(slope, of.pooled_slopes + p * filters + f, count);
                V::load_first(deciding, of.pooled + p * filters + f, count);
                V::where_positive(slope, deciding);
                V::store(of.through + p * tile.filters() + f, slope);
                V::add(sum, slope);
            }
            V::store(of.biases + f, sum);
        }
    }

    /// visit<kLines, kVectors>(line, vector) for parts of a window of `lines` x `vectors` that registers hold.
    template <class Visit>
    static void over_windows(std::uint32_t lines, std::uint32_t vectors, const Visit& visit) {
        for (std::uint32_t v = 0; v < vectors;) {
            const std::uint32_t left = vectors - v;
            if (left >= 6) {
                over_lines<6>(lines, v, visit);
                v += 6;
            } else if (left >= 3) {
                over_lines<3>(lines, v, visit);
                v += 3;
            } else if (left == 2) {
                over_lines<2>(lines, v, visit);
                v += 2;
            } else {
                over_lines<1>(lines, v, visit);
                v += 1;
            }
        }
    }

    template <int kVectors, class Visit>
    static void over_lines(std::uint32_t lines, std::uint32_t v, const Visit& visit) {
        constexpr std::uint32_t kMost = std::min<std::uint32_t>(5, Run::kSums / kVectors);
        for (std::uint32_t y = 0; y < lines;) {
            const std::uint32_t left = lines - y;
            if (kMost >= 5 && left >= 5) {
                visit.template operator()<kMost >= 5 ? 5 : 1, kVectors>(y, v);
                y += 5;
            } else if (kMost >= 3 && left >= 3) {
                visit.template operator()<kMost >= 3 ? 3 : 1, kVectors>(y, v);
                y += 3;
            } else if (left >= 2) {
                visit.template operator()<2, kVectors>(y, v);
                y += 2;
            } else {
                visit.template operator()<1, kVectors>(y, v);
                y += 1;
            }
        }
    }

    /// Lines [ky, ky + kLines) of all filters' windows, kVectors from entry j on.
    template <int kLines, int kVectors>
    static void gradient(const TileShape& tile, const BackByWinners& of, std::uint32_t ky, std::uint32_t j) {
        constexpr int kAtOnce = kLines * kVectors <= 4   ? 4
                                : kLines * kVectors <= 8 ? 2
                                                         : 1; // chains that are no shorter
        constexpr bool kFits = kAtOnce * kLines * kVectors <= static_cast<int>(Run::kSums);
        constexpr int kFilters = kFits ? kAtOnce : 1;
        std::uint32_t f = 0;
        for (; f + kFilters <= tile.of.filters; f += kFilters)
            gradient_of<kLines, kVectors, kFilters>(tile, of, ky, j, f);
        for (; f < tile.of.filters; ++f) gradient_of<kLines, kVectors, 1>(tile, of, ky, j, f);
    }

    template <int kLines, int kVectors, int kFilters>
    static void gradient_of(const TileShape& tile, const BackByWinners& of, std::uint32_t ky, std::uint32_t j,
                            std::uint32_t f) {
        const ConvPoolShape& shape = tile.of;
        const std::size_t line = shape.line(), run = tile.run(), stride = tile.filters();
        std::uint32_t place[9];
        for (std::uint32_t q = 0; q < shape.pool * shape.pool; ++q) place[q] = shape.place(q);
        float* const out = of.turned_gradient + f * tile.turned() + ky * run + j;
        Floats sum[kFilters][kLines][kVectors];
#pragma GCC unroll 4
        for (int n = 0; n < kFilters; ++n) {
#pragma GCC unroll 5
            for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                for (int v = 0; v < kVectors; ++v)
                    Run::load(sum[n][y][v], out + n * tile.turned() + y * run + v * Run::kWidth);
            }
        }
        const float* through = of.through + f;
        const std::uint8_t* winners = of.winners + f;
        const float* const first = of.image + ky * line + j;
        for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
            const float* corner = first + shape.corner(y, 0);
            for (std::uint32_t x = 0; x < shape.pooled_width();
                 ++x, corner += shape.corner(0, 1), through += stride, winners += stride) {
#pragma GCC unroll 4
                for (int n = 0; n < kFilters; ++n) {
                    const float* const window = corner + place[winners[n]];
                    Floats slope;
                    Run::spread(slope, through[n]);
#pragma GCC unroll 5
                    for (int ly = 0; ly < kLines; ++ly) {
#pragma GCC unroll 6
                        for (int v = 0; v < kVectors; ++v) {
                            Floats entries;
                            Run::load(entries, window + ly * line + v * Run::kWidth);
                            Run::add_product(sum[n][ly][v], entries, slope);
                        }
                    }
                }
            }
        }
#pragma GCC unroll 4
        for (int n = 0; n < kFilters; ++n) {
#pragma GCC unroll 5
            for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                for (int v = 0; v < kVectors; ++v)
                    Run::store(out + n * tile.turned() + y * run + v * Run::kWidth, sum[n][y][v]);
            }
        }
    }

    /// What lines [ky, ky + kLines) of filters' windows, kVectors from entry j on, add to slopes along the image. Entries behind a
    /// window's line get zeros added.
    template <int kLines, int kVectors>
    static void input_slopes(const TileShape& tile, const BackByWinners& of, std::uint32_t ky, std::uint32_t j) {
        constexpr std::uint32_t kListed = 64; // filters of a word
        const ConvPoolShape& shape = tile.of;
        const std::size_t line = shape.line(), run = tile.run();
        for (std::uint32_t f = 0; f < shape.filters; f += kListed) {
            const std::uint32_t count = std::min(kListed, shape.filters - f);
            const float* const turned = of.turned_weights + f * tile.turned() + ky * run + j;
            for (std::uint32_t p = 0; p < tile.windows(); ++p) {
                const float* const through = of.through + p * tile.filters() + f;
                const std::uint8_t* const winners = of.winners + p * tile.filters() + f;
                float* const corner =
                    of.input_slopes + ky * line + j + shape.corner(p / shape.pooled_width(), p % shape.pooled_width());
                for (std::uint32_t q = 0; q < shape.pool * shape.pool; ++q) {
                    std::uint64_t list = listed(winners, count, static_cast<std::uint8_t>(q));
                    if (list == 0) continue;
                    Floats sum[kLines][kVectors];
#pragma GCC unroll 5
                    for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                        for (int v = 0; v < kVectors; ++v)
                            Run::load(sum[y][v], corner + shape.place(q) + y * line + v * Run::kWidth);
                    }
                    for (; list != 0; list &= list - 1) {
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
#pragma GCC unroll 5
                    for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                        for (int v = 0; v < kVectors; ++v)
                            Run::store(corner + shape.place(q) + y * line + v * Run::kWidth, sum[y][v]);
                    }
                }
            }
        }
    }

    /// Bit n: whether winners[n] is q, for n < count.
    static std::uint64_t listed(const std::uint8_t* winners, std::uint32_t count, std::uint8_t q) {
        std::uint64_t list = 0;
        for (std::uint32_t n = 0; n < count; n += V::kWidth) list |= std::uint64_t{V::equal_bytes(winners + n, q)} << n;
        return count == 64 ? list : list & ((std::uint64_t{1} << count) - 1);
    }
};

template <class Lanes>
void BackByWinners::run(const TileShape& tile, const BackByWinners& of) {
#if HOGWILD_VECTOR_LANES
    if constexpr (std::same_as<Lanes, Avx512Lanes>)
        if (tile.run_width < tile.width) return WinnerTiles<VectorsOf<Lanes>, VectorsOf<Avx2Lanes>>::back(tile, of);
#endif
    WinnerTiles<VectorsOf<Lanes>, VectorsOf<Lanes>>::back(tile, of);
}

} // namespace hogwild
