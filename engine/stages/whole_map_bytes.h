// Bytes that stages move which have each map whole in memory.
#pragma once

#include "kernels/network/stages/conv_pool.h"

#include <cstdint>

namespace hogwild {

constexpr std::uint64_t whole_map_bytes(const ConvPoolShape& shape) {
    const std::uint64_t map = shape.map_size(), pooled = shape.pooled_size(), padded = shape.padded_size(),
                        weights = shape.weights(), floats = sizeof(float);
    const std::uint64_t load = shape.image_size() + floats * padded;
    const std::uint64_t convolution = floats * (padded + weights + map);
    const std::uint64_t pooling = floats * (map + pooled) + pooled;
    const std::uint64_t unpooling = floats * (map + 2 * pooled) + pooled;
    const std::uint64_t gradient = floats * (map + padded + 2 * weights);
    const std::uint64_t slopes = shape.input_slopes ? floats * (map + weights + 3 * padded) : 0;
    return shape.images * (load + convolution + pooling + unpooling + gradient + slopes) + floats * 4 * weights;
}

} // namespace hogwild
