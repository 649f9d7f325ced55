// A convolution with subsampling (kernels/stages/conv_pool.h) without its map: forward `pool` lines of it at a time, which stay in a
// first-level cache until they are pooled, and back from winners alone, since no other place of a window has a slope. Of one image.
//
// Forward keeps the pooled map and a byte for each of its numbers: which place of the window won. Back does a pool x pool-th of the
// multiplications that the map's would be. Weights and gradient are turned for that: a row of depth numbers and one bias for each
// filter, so that a filter's window is a few neighbouring runs.
// Forward has the bits of kernels/stages/whole_maps.h; back adds the same terms in another order.
// Thread-safety: weights of forward may be written by others meanwhile; all else is the caller's own.
#pragma once

#include "kernels/layers/activation.h"
#include "kernels/stages/whole_maps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hogwild {

/// `lines`: room for `pool` lines of the map.
struct ForwardByLines {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const float* weights, const float* image, float* pooled,
                    std::uint8_t* winners, float* lines) {
        const std::uint32_t wide = shape.pooled_width() * shape.filters;
        for (std::uint32_t y = 0; y < shape.pooled_height(); ++y, pooled += wide, winners += wide) {
            for (std::uint32_t dy = 0; dy < shape.pool; ++dy) {
                convolve_line<Lanes>(shape, weights, image, y * shape.pool + dy,
                                     lines + dy * shape.map_width() * shape.filters);
            }
            pool_lines(shape, lines, pooled, winners);
        }
    }
};

/// turned[f x (depth + 1) + k] = weights[k x filters + f], and back.
struct Turn {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const float* weights, float* turned) {
        Lanes::Dense::transpose(turned, shape.depth() + 1, weights, shape.filters, shape.depth() + 1, shape.filters);
    }
};

struct TurnBack {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const float* turned, float* weights) {
        Lanes::Dense::transpose(weights, shape.filters, turned, shape.depth() + 1, shape.filters, shape.depth() + 1);
    }
};

/// What back reads and writes; `input_slopes`, with the zeros around, are null where they are not wanted.
struct BackByWinners {
    const float* turned_weights;
    const float* image;
    const float* pooled;
    const std::uint8_t* winners;
    const float* pooled_slopes;
    float* turned_gradient; // what it holds is added to
    float* input_slopes;

    template <class Lanes>
    static void run(const ConvPoolShape& shape, const BackByWinners& of) {
        const std::uint32_t row = shape.depth() + 1, run = shape.window_line();
        if (of.input_slopes != nullptr) std::fill_n(of.input_slopes, shape.padded_size(), 0.0f);
        std::size_t k = 0;
        for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
            for (std::uint32_t x = 0; x < shape.pooled_width(); ++x) {
                for (std::uint32_t f = 0; f < shape.filters; ++f, ++k) {
                    const float slope = slope_through<Activation::kRelu>(of.pooled[k], of.pooled_slopes[k]);
                    if (slope == 0.0f) continue;
                    std::uint32_t at = shape.corner(y, x) + shape.place(of.winners[k]);
                    float* along = of.turned_gradient + f * row;
                    along[shape.depth()] += slope;
                    const float* weight = of.turned_weights + f * row;
                    for (std::uint32_t ky = 0; ky < shape.kernel;
                         ++ky, at += shape.line(), along += run, weight += run) {
                        Lanes::add_dense(along, of.image + at, run, slope);
                        if (of.input_slopes != nullptr) Lanes::add_dense(of.input_slopes + at, weight, run, slope);
                    }
                }
            }
        }
    }
};

} // namespace hogwild
