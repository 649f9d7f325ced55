// A convolution with subsampling (kernels/network/stages/conv_pool.h) by sums of rows (kernels/lanes/dense.h). Each map
// is whole in memory before the next part begins, as layers of networks are (kernels/network/layers/weighted.h). For
// one image.
//
// Back at all places of the map: those that have no slope, three of four where pool is 2, are multiplied too.
// Thread-safety: weights may be written by others meanwhile; all else is the caller's own.
#pragma once

#include "kernels/lanes/dense.h"
#include "kernels/network/stages/conv_pool.h"
#include "kernels/network/stages/vectors.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

/// The sums of line y of the map, before relu.
template <class Lanes>
void convolve_line(const ConvPoolShape& shape, const float* weights, const float* image, std::uint32_t y, float* line) {
    Lanes::Dense::sums({.out = line,
                        .out_stride = shape.filters,
                        .initial = weights + shape.depth() * shape.filters,
                        .factors = {.first = image + y * shape.line(),
                                    .row = shape.channels,
                                    .length = shape.window_line(),
                                    .run = shape.line()},
                        .rows = weights,
                        .rows_stride = shape.filters,
                        .outs = shape.map_width(),
                        .columns = shape.filters,
                        .terms = shape.depth()});
}

/// From `pool` lines of the map to a line of the pooled map, which goes through relu or not. `stride`: from a window's winners to
/// the next's.
template <class Lanes>
void pool_lines(const ConvPoolShape& shape, const float* lines, bool relu, float* pooled, std::uint8_t* winners,
                std::size_t stride) {
    using V = VectorsOf<Lanes>;
    for (std::uint32_t x = 0; x < shape.pooled_width(); ++x, pooled += shape.filters, winners += stride) {
        for (std::uint32_t f = 0; f < shape.filters; f += V::kWidth) {
            const std::uint32_t count = std::min(V::kWidth, shape.filters - f);
            const float* const first = lines + x * shape.pool * shape.filters + f;
            typename V::Floats best, value;
            typename V::Numbers numbers;
            V::load_first(best, first, count);
            V::zeros(numbers);
            for (std::uint32_t q = 1; q < shape.pool * shape.pool; ++q) {
                const std::uint32_t place = q / shape.pool * shape.map_width() + q % shape.pool;
                V::load_first(value, first + place * shape.filters, count);
                V::take_larger(best, numbers, value, static_cast<int>(q));
            }
            if (relu) V::not_negative(best);
            V::store_first(pooled + f, best, count);
            V::store_first_bytes(winners + f, numbers, count);
        }
    }
}

/// The whole map, after relu.
struct ConvolveMap {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const float* weights, const float* image, float* map) {
        const std::uint32_t wide = shape.map_width() * shape.filters;
        for (std::uint32_t y = 0; y < shape.map_height(); ++y, map += wide) {
            convolve_line<Lanes>(shape, weights, image, y, map);
            for (std::uint32_t k = 0; k < wide; ++k) map[k] = map[k] < 0.0f ? 0.0f : map[k];
        }
    }
};

struct PoolMap {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const float* map, float* pooled, std::uint8_t* winners) {
        const std::uint32_t wide = shape.pooled_width() * shape.filters;
        for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
            pool_lines<Lanes>(shape, map + y * shape.pool * shape.map_width() * shape.filters, false, pooled + y * wide,
                              winners + y * wide, shape.filters);
        }
    }
};

/// Adds the image's gradient to what `gradient` holds.
struct GradientOfMap {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const float* image, const float* map_slopes, float* gradient) {
        static constexpr float kOne = 1;
        DenseSums sums{.out = gradient,
                       .out_stride = shape.filters,
                       .initial = gradient,
                       .initial_stride = shape.filters,
                       .factors = {},
                       .rows = map_slopes,
                       .rows_stride = shape.filters,
                       .outs = shape.window_line(),
                       .columns = shape.filters,
                       .terms = shape.map_height() * shape.map_width()};
        for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
            sums.factors = {.first = image + ky * shape.line(),
                            .row = 1,
                            .step = shape.channels,
                            .length = shape.map_width(),
                            .run = shape.line()};
            Lanes::Dense::sums(sums);
            sums.initial = sums.out += shape.window_line() * shape.filters;
        }
        sums.factors = {.first = &kOne, .step = 0, .length = sums.terms};
        sums.outs = 1;
        Lanes::Dense::sums(sums);
    }
};

/// Slopes along the image and the zeros around it. `windows`: room for a line of the map's windows.
struct InputSlopesOfMap {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const float* weights, const float* map_slopes, float* input_slopes,
                    float* windows) {
        std::fill_n(input_slopes, shape.padded_size(), 0.0f);
        for (std::uint32_t y = 0; y < shape.map_height(); ++y) {
            Lanes::Dense::sums({.out = windows,
                                .out_stride = shape.depth(),
                                .factors = {.first = map_slopes + y * shape.map_width() * shape.filters,
                                            .row = shape.filters,
                                            .length = shape.filters},
                                .rows = weights,
                                .rows_stride = shape.filters,
                                .transposed = true,
                                .outs = shape.map_width(),
                                .columns = shape.depth(),
                                .terms = shape.filters});
            const float* from = windows;
            for (std::uint32_t x = 0; x < shape.map_width(); ++x) {
                float* to = input_slopes + y * shape.line() + x * shape.channels;
                for (std::uint32_t ky = 0; ky < shape.kernel; ++ky, to += shape.line(), from += shape.window_line())
                    for (std::uint32_t j = 0; j < shape.window_line(); ++j) to[j] += from[j];
            }
        }
    }
};

/// weights += scale x row, others may add meanwhile.
struct AddToWeights {
    template <class Lanes>
    static void run(float* weights, const float* row, std::uint32_t size, float scale) {
        Lanes::add_dense(weights, row, size, scale);
    }
};

} // namespace hogwild
