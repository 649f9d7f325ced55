// A convolution with subsampling (kernels/stages/conv_pool.h) in tiles of registers. Of one image.
//
// Forward, a tile is some neighbouring windows of some vectors of filters: the sums of all their places are made in registers and
// pooled there. Along weights, a tile is the windows of some filters: their lines of depth numbers stay in registers, whole, while the
// filter's winners go by, each of which adds what lies at its place of the image. Along the image, a tile is one window's place: of all
// filters that won there, which a word of bits lists, the weights are summed in registers, then added where they belong.
// So every product is one instruction, that reads one operand from a first-level cache.
//
// Filters and lines of windows are made up to whole vectors, in arrays of the worker's own. Forward is one chain of fused
// multiply-adds in the order of rows, as all sums of kernels/lanes/dense.h: its bits are theirs. Back adds the terms of
// kernels/stages/by_winners.h in another order, fused.
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/stages/conv_pool.h"
#include "kernels/stages/vectors.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hogwild {

/// Sizes that are made up to whole vectors of `width`.
struct TileShape {
    ConvPoolShape of;
    std::uint32_t width = 1;

    constexpr std::uint32_t whole(std::uint32_t size) const { return (size + width - 1) / width * width; }
    constexpr std::uint32_t filters() const { return whole(of.filters); }
    constexpr std::uint32_t run() const { return whole(of.window_line()); } // a line of a window
    constexpr std::uint32_t turned() const { return of.kernel * run(); }    // a filter's window
    constexpr std::uint32_t rows() const { return (of.depth() + 1) * filters(); }
    constexpr std::uint32_t windows() const { return of.pooled_height() * of.pooled_width(); }
};

/// Arrays of a worker, and of one image. What makes sizes whole holds zeros in `rows`, `turned` and `biases`.
struct TileArrays {
    const float* rows;      // weights, tile.filters() a row, the biases behind them
    const float* turned;    // tile.turned() a filter, without biases
    const float* image;     // padded; a vector behind it may be read
    float* pooled;          // shape.filters a place
    std::uint8_t* winners;  // tile.filters() a place
    const float* slopes;    // along the pooled map, shape.filters a place
    float* through;         // slopes through relu, tile.filters() a place
    float* turned_gradient; // tile.turned() a filter; added to
    float* biases;          // tile.filters(), their gradient; added to
    float* input_slopes;    // padded, with a vector behind; null: not wanted
};

template <class V>
class Tiles {
public:
    static void forward(const TileShape& tile, const TileArrays& of) {
        switch (tile.of.pool) {
        case 1: return pooled_map<1>(tile, of);
        case 2: return pooled_map<2>(tile, of);
        default: return pooled_map<3>(tile, of);
        }
    }

    static void back(const TileShape& tile, const TileArrays& of) {
        slopes_through(tile, of);
        over_windows(tile.of.kernel, tile.run() / V::kWidth, [&]<int kLines, int kVectors>(auto ky, auto v) {
            gradient<kLines, kVectors>(tile, of, ky, v * V::kWidth);
        });
        if (of.input_slopes == nullptr) return;
        std::fill_n(of.input_slopes, tile.of.padded_size(), 0.0f);
        over_windows(tile.of.kernel, tile.run() / V::kWidth, [&]<int kLines, int kVectors>(auto ky, auto v) {
            input_slopes<kLines, kVectors>(tile, of, ky, v * V::kWidth);
        });
    }

private:
    using Floats = typename V::Floats;
    using Numbers = typename V::Numbers;

    // ---- forward

    template <int kPool>
    static void pooled_map(const TileShape& tile, const TileArrays& of) {
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

    /// Of some vectors of filters, from number f on.
    template <int kPool, int kVectors>
    static void columns(const TileShape& tile, const TileArrays& of, std::uint32_t f) {
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
    static void some_windows(std::uint32_t count, const TileShape& tile, const TileArrays& of, std::uint32_t f,
                             std::uint32_t y, std::uint32_t x) {
        if (count == kWindows) return windows<kPool, kVectors, kWindows>(tile, of, f, y, x);
        if constexpr (kWindows > 1) some_windows<kPool, kVectors, kWindows - 1>(count, tile, of, f, y, x);
    }

    template <int kPool, int kVectors, std::uint32_t kWindows>
    static void windows(const TileShape& tile, const TileArrays& of, std::uint32_t f, std::uint32_t y,
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
                V::not_negative(best);
                const std::uint32_t filter = f + v * V::kWidth;
                V::store_bytes(of.winners + (first + w) * stride + filter, winners);
                V::store_first(of.pooled + (first + w) * shape.filters + filter, best,
                               std::min(V::kWidth, shape.filters - filter));
            }
        }
    }

    // ---- back

    /// Slopes along the pooled map become slopes along what was pooled; those along biases are their sums.
    static void slopes_through(const TileShape& tile, const TileArrays& of) {
        const std::uint32_t filters = tile.of.filters, last = filters - filters % V::kWidth;
        for (std::uint32_t p = 0; p < tile.windows(); ++p) {
            const float *slopes = of.slopes + p * filters, *pooled = of.pooled + p * filters;
            float* const through = of.through + p * tile.filters();
            for (std::uint32_t f = 0; f < last; f += V::kWidth) {
                Floats slope, deciding, sum;
                V::load(slope, slopes + f);
                V::load(deciding, pooled + f);
                V::where_positive(slope, deciding);
                V::store(through + f, slope);
                V::load(sum, of.biases + f);
                V::add(sum, slope);
                V::store(of.biases + f, sum);
            }
            for (std::uint32_t f = last; f < filters; ++f) {
                through[f] = pooled[f] > 0.0f ? slopes[f] : 0.0f;
                of.biases[f] += through[f];
            }
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
        constexpr std::uint32_t kMost = std::min<std::uint32_t>(5, V::kSums / kVectors);
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
    static void gradient(const TileShape& tile, const TileArrays& of, std::uint32_t ky, std::uint32_t j) {
        constexpr int kAtOnce = kLines * kVectors <= 4   ? 4
                                : kLines * kVectors <= 8 ? 2
                                                         : 1; // chains that are no shorter
        constexpr bool kFits = kAtOnce * kLines * kVectors <= static_cast<int>(V::kSums);
        constexpr int kFilters = kFits ? kAtOnce : 1;
        std::uint32_t f = 0;
        for (; f + kFilters <= tile.of.filters; f += kFilters)
            gradient_of<kLines, kVectors, kFilters>(tile, of, ky, j, f);
        for (; f < tile.of.filters; ++f) gradient_of<kLines, kVectors, 1>(tile, of, ky, j, f);
    }

    template <int kLines, int kVectors, int kFilters>
    static void gradient_of(const TileShape& tile, const TileArrays& of, std::uint32_t ky, std::uint32_t j,
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
                    V::load(sum[n][y][v], out + n * tile.turned() + y * run + v * V::kWidth);
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
                    V::spread(slope, through[n]);
#pragma GCC unroll 5
                    for (int ly = 0; ly < kLines; ++ly) {
#pragma GCC unroll 6
                        for (int v = 0; v < kVectors; ++v) {
                            Floats entries;
                            V::load(entries, window + ly * line + v * V::kWidth);
                            V::add_product(sum[n][ly][v], entries, slope);
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
                    V::store(out + n * tile.turned() + y * run + v * V::kWidth, sum[n][y][v]);
            }
        }
    }

    /// What lines [ky, ky + kLines) of filters' windows, kVectors from entry j on, add to slopes along the image. Entries behind a
    /// window's line get zeros added.
    template <int kLines, int kVectors>
    static void input_slopes(const TileShape& tile, const TileArrays& of, std::uint32_t ky, std::uint32_t j) {
        constexpr std::uint32_t kListed = 64; // filters of a word
        const ConvPoolShape& shape = tile.of;
        const std::size_t line = shape.line(), run = tile.run();
        for (std::uint32_t f = 0; f < shape.filters; f += kListed) {
            const std::uint32_t count = std::min(kListed, shape.filters - f);
            const float* const turned = of.turned + f * tile.turned() + ky * run + j;
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
                            V::load(sum[y][v], corner + shape.place(q) + y * line + v * V::kWidth);
                    }
                    for (; list != 0; list &= list - 1) {
                        const int n = std::countr_zero(list);
                        Floats slope;
                        V::spread(slope, through[n]);
                        const float* const weights = turned + n * tile.turned();
#pragma GCC unroll 5
                        for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                            for (int v = 0; v < kVectors; ++v) {
                                Floats weight;
                                V::load(weight, weights + y * run + v * V::kWidth);
                                V::add_product(sum[y][v], weight, slope);
                            }
                        }
                    }
#pragma GCC unroll 5
                    for (int y = 0; y < kLines; ++y) {
#pragma GCC unroll 6
                        for (int v = 0; v < kVectors; ++v)
                            V::store(corner + shape.place(q) + y * line + v * V::kWidth, sum[y][v]);
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

/// Forms for the lanes that the caller runs on.
struct TilesForward {
    template <class Lanes>
    static void run(const TileShape& tile, const TileArrays& of) {
        Tiles<VectorsOf<Lanes>>::forward(tile, of);
    }
};

struct TilesBack {
    template <class Lanes>
    static void run(const TileShape& tile, const TileArrays& of) {
        Tiles<VectorsOf<Lanes>>::back(tile, of);
    }
};

/// Floats of a vector.
struct WidthOfVectors {
    template <class Lanes>
    static void run(std::uint32_t& width) {
        width = VectorsOf<Lanes>::kWidth;
    }
};

/// Weights in both forms, from rows of shape.filters that others may write meanwhile; what makes sizes whole is left as it is.
struct TileWeights {
    template <class Lanes>
    static void run(const TileShape& tile, const float* weights, float* rows, float* turned) {
        const ConvPoolShape& shape = tile.of;
        for (std::uint32_t k = 0; k <= shape.depth(); ++k) {
            for (std::uint32_t f = 0; f < shape.filters; ++f)
                rows[k * tile.filters() + f] = relaxed_load(weights[k * shape.filters + f]);
        }
        for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
            Lanes::Dense::transpose(turned + ky * tile.run(), tile.turned(),
                                    weights + ky * shape.window_line() * shape.filters, shape.filters,
                                    shape.window_line(), shape.filters);
        }
    }
};

/// The gradient as rows of shape.filters.
struct TileGradient {
    template <class Lanes>
    static void run(const TileShape& tile, const float* turned_gradient, const float* biases, float* gradient) {
        const ConvPoolShape& shape = tile.of;
        for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
            Lanes::Dense::transpose(gradient + ky * shape.window_line() * shape.filters, shape.filters,
                                    turned_gradient + ky * tile.run(), tile.turned(), shape.filters,
                                    shape.window_line());
        }
        std::copy_n(biases, shape.filters, gradient + shape.depth() * shape.filters);
    }
};

} // namespace hogwild
