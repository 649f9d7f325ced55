// A convolution with subsampling (kernels/network/stages/conv_pool.h) forward without its map. It makes `pool` lines of
// the map at a time, which stay in a first-level cache until they are pooled. For one image. What is kept is the pooled
// map, and a byte for each of its numbers: which place of the window won. It has the bits of
// kernels/network/stages/whole_maps.h.
//
// Thread-safety: weights may be written by others meanwhile; all else is the caller's own.
#pragma once

#include "kernels/network/activation.h"
#include "kernels/network/stages/tile_shape.h"
#include "kernels/network/stages/whole_maps.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

/// What it reads and writes.
struct ForwardByLines {
    const float* weights;
    const float* image; // padded
    float* pooled;
    std::uint8_t* winners;                     // tile.filters() a window
    float* lines;                              // room for `pool` lines of the map
    Activation activation = Activation::kRelu; // in place of relu

    template <class Lanes>
    static void run(const TileShape& tile, const ForwardByLines& of) {
        const ConvPoolShape& shape = tile.of;
        const std::uint32_t wide = shape.map_width() * shape.filters;
        const bool relu = of.activation == Activation::kRelu; // of the largest is the largest of all
        for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
            for (std::uint32_t dy = 0; dy < shape.pool; ++dy)
                convolve_line<Lanes>(shape, of.weights, of.image, y * shape.pool + dy, of.lines + dy * wide);
            if (!relu) activate(of.activation, of.lines, shape.pool * wide);
            const std::size_t window = std::size_t{y} * shape.pooled_width();
            pool_lines<Lanes>(shape, of.lines, relu, of.pooled + window * shape.filters,
                              of.winners + window * tile.filters(), tile.filters());
        }
    }
};

} // namespace hogwild
