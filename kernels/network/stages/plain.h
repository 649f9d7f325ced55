// A convolution with subsampling as its formula reads (kernels/network/stages/conv_pool.h): loops over single numbers, each map
// whole in memory before the next part begins. For one image.
//
// Thread-safety: all memory is the caller's own.
#pragma once

#include "kernels/network/stages/conv_pool.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// The whole map, after relu.
inline void plain_convolution(const ConvPoolShape& shape, const float* weights, const float* image, float* map) {
    const float* const biases = weights + shape.depth() * shape.filters;
    for (std::uint32_t y = 0; y < shape.map_height(); ++y) {
        for (std::uint32_t x = 0; x < shape.map_width(); ++x) {
            const float* const window = image + y * shape.line() + x * shape.channels;
            for (std::uint32_t f = 0; f < shape.filters; ++f) {
                float sum = biases[f];
                const float* weight = weights + f;
                for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
                    for (std::uint32_t j = 0; j < shape.window_line(); ++j, weight += shape.filters)
                        sum += window[ky * shape.line() + j] * *weight;
                }
                *map++ = sum < 0.0f ? 0.0f : sum;
            }
        }
    }
}

/// The largest of each window, and the number of its place, line by line.
inline void plain_pooling(const ConvPoolShape& shape, const float* map, float* pooled, std::uint8_t* winners) {
    for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
        for (std::uint32_t x = 0; x < shape.pooled_width(); ++x) {
            for (std::uint32_t f = 0; f < shape.filters; ++f) {
                float largest = 0;
                std::uint32_t winner = 0;
                for (std::uint32_t q = 0; q < shape.pool * shape.pool; ++q) {
                    const std::uint32_t at_y = y * shape.pool + q / shape.pool, at_x = x * shape.pool + q % shape.pool;
                    const float value = map[(at_y * shape.map_width() + at_x) * shape.filters + f];
                    if (q > 0 && !(value > largest)) continue;
                    largest = value;
                    winner = q;
                }
                *pooled++ = largest;
                *winners++ = static_cast<std::uint8_t>(winner);
            }
        }
    }
}

/// Slopes along the map before relu, zero at all places but winners.
inline void plain_unpooling(const ConvPoolShape& shape, const float* pooled, const std::uint8_t* winners,
                            const float* pooled_slopes, float* map_slopes) {
    std::fill_n(map_slopes, shape.map_size(), 0.0f);
    for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
        for (std::uint32_t x = 0; x < shape.pooled_width(); ++x) {
            for (std::uint32_t f = 0; f < shape.filters; ++f, ++pooled, ++winners, ++pooled_slopes) {
                const std::uint32_t at_y = y * shape.pool + *winners / shape.pool,
                                    at_x = x * shape.pool + *winners % shape.pool;
                map_slopes[(at_y * shape.map_width() + at_x) * shape.filters + f] =
                    *pooled > 0.0f ? *pooled_slopes : 0.0f;
            }
        }
    }
}

/// Adds the image's gradient to what `gradient` holds.
inline void plain_gradient(const ConvPoolShape& shape, const float* image, const float* map_slopes, float* gradient) {
    float* const biases = gradient + shape.depth() * shape.filters;
    for (std::uint32_t y = 0; y < shape.map_height(); ++y) {
        for (std::uint32_t x = 0; x < shape.map_width(); ++x) {
            const float* const window = image + y * shape.line() + x * shape.channels;
            for (std::uint32_t f = 0; f < shape.filters; ++f) {
                const float slope = *map_slopes++;
                float* along = gradient + f;
                for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
                    for (std::uint32_t j = 0; j < shape.window_line(); ++j, along += shape.filters)
                        *along += window[ky * shape.line() + j] * slope;
                }
                biases[f] += slope;
            }
        }
    }
}

/// Slopes along the image and the zeros around it.
inline void plain_input_slopes(const ConvPoolShape& shape, const float* weights, const float* map_slopes,
                               float* input_slopes) {
    std::fill_n(input_slopes, shape.padded_size(), 0.0f);
    for (std::uint32_t y = 0; y < shape.map_height(); ++y) {
        for (std::uint32_t x = 0; x < shape.map_width(); ++x) {
            float* const window = input_slopes + y * shape.line() + x * shape.channels;
            for (std::uint32_t f = 0; f < shape.filters; ++f) {
                const float slope = *map_slopes++;
                const float* weight = weights + f;
                for (std::uint32_t ky = 0; ky < shape.kernel; ++ky) {
                    for (std::uint32_t j = 0; j < shape.window_line(); ++j, weight += shape.filters)
                        window[ky * shape.line() + j] += *weight * slope;
                }
            }
        }
    }
}

inline void plain_update(const ConvPoolShape& shape, float step_size, const float* gradient, float* weights) {
    for (std::uint32_t k = 0; k < shape.weights(); ++k) weights[k] -= step_size * gradient[k];
}

} // namespace hogwild
