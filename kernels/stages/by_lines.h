// A convolution with subsampling (kernels/stages/conv_pool.h) forward without its map: `pool` lines of it at a time, which stay in a
// first-level cache until they are pooled. Of one image. What is kept is the pooled map, and a byte for each of its numbers: which
// place of the window won. It has the bits of kernels/stages/whole_maps.h.
//
// Thread-safety: weights may be written by others meanwhile; all else is the caller's own.
#pragma once

#include "kernels/stages/tile_shape.h"
#include "kernels/stages/whole_maps.h"

#include <cstdint>

namespace hogwild {

/// `lines`: room for `pool` lines of the map; `winners`: tile.filters() a window.
struct ForwardByLines {
    template <class Lanes>
    static void run(const TileShape& tile, const float* weights, const float* image, float* pooled,
                    std::uint8_t* winners, float* lines) {
        const ConvPoolShape& shape = tile.of;
        for (std::uint32_t y = 0; y < shape.pooled_height(); ++y) {
            for (std::uint32_t dy = 0; dy < shape.pool; ++dy) {
                convolve_line<Lanes>(shape, weights, image, y * shape.pool + dy,
                                     lines + dy * shape.map_width() * shape.filters);
            }
            pool_lines<Lanes>(shape, lines, pooled + y * shape.pooled_width() * shape.filters,
                              winners + y * shape.pooled_width() * tile.filters(), tile.filters());
        }
    }
};

} // namespace hogwild
