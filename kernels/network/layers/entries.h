// Layers without weights, entry by entry, for those who share out a map's entries: the same numbers as kernels/network/layers/pooling.h has,
// added in the same order.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/layers/pooling.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

/// Entry number u of a map.
struct MapEntry {
    std::uint32_t y, x, channel;

    HOGWILD_HOST_DEVICE MapEntry(const MapShape& map, std::uint32_t u) {
        const std::uint32_t place = u / map.channels;
        channel = u - place * map.channels;
        y = place / map.width;
        x = place - y * map.width;
    }
};

/// Where the window of output u begins, in the input.
HOGWILD_HOST_DEVICE inline std::uint32_t window_begin(const Layer& layer, const MapEntry& output) {
    return (output.y * layer.in.width + output.x) * layer.stride * layer.in.channels;
}

/// Where the largest entry of output u's window lies, in the input.
HOGWILD_HOST_DEVICE inline std::uint32_t largest_of(const Layer& layer, const float* in, std::uint32_t u) {
    const MapEntry output(layer.out, u);
    const std::uint32_t begin = window_begin(layer, output);
    return begin + largest_of_window(layer, in + begin, output.channel);
}

HOGWILD_HOST_DEVICE inline float mean_of(const Layer& layer, const float* in, std::uint32_t u) {
    const float share = 1.0f / static_cast<float>(layer.kernel * layer.kernel);
    const MapEntry output(layer.out, u);
    const float* const window = in + window_begin(layer, output) + output.channel;
    float sum = 0;
    for (std::uint32_t ky = 0; ky < layer.kernel; ++ky) {
        for (std::uint32_t kx = 0; kx < layer.kernel; ++kx)
            sum += share * window[ky * layer.line() + kx * layer.in.channels];
    }
    return sum;
}

/// visit(u) for every output whose window has input u, line by line.
HOGWILD_HOST_DEVICE inline void for_each_window_with(const Layer& layer, std::uint32_t u, const auto& visit) {
    const MapEntry input(layer.in, u);
    const auto first = [&](std::uint32_t at) { return at < layer.kernel ? 0 : (at - layer.kernel) / layer.stride + 1; };
    for (std::uint32_t y = first(input.y); y * layer.stride <= input.y && y < layer.out.height; ++y) {
        for (std::uint32_t x = first(input.x); x * layer.stride <= input.x && x < layer.out.width; ++x)
            visit((y * layer.out.width + x) * layer.out.channels + input.channel);
    }
}

/// The slope along input u.
HOGWILD_HOST_DEVICE inline float max_pool_slope(const Layer& layer, const float* in, const float* slopes,
                                                std::uint32_t u) {
    float sum = 0;
    for_each_window_with(layer, u, [&](std::uint32_t output) {
        if (largest_of(layer, in, output) == u) sum += slopes[output];
    });
    return sum;
}

/// Whether every input is in exactly one window.
HOGWILD_HOST_DEVICE inline bool windows_part(const Layer& layer) {
    return layer.stride == layer.kernel && layer.out.height * layer.kernel == layer.in.height &&
           layer.out.width * layer.kernel == layer.in.width;
}

/// Slopes along the inputs of output u's window alone, through what came before: through(input, slope).
HOGWILD_HOST_DEVICE inline void max_pool_back_window(const Layer& layer, const float* in, float slope, std::uint32_t u,
                                                     float* in_slopes, const auto& through) {
    const std::uint32_t best = largest_of(layer, in, u);
    const MapEntry output(layer.out, u);
    const std::uint32_t begin = window_begin(layer, output) + output.channel;
    for (std::uint32_t ky = 0; ky < layer.kernel; ++ky) {
        for (std::uint32_t kx = 0; kx < layer.kernel; ++kx) {
            const std::uint32_t at = begin + ky * layer.line() + kx * layer.in.channels;
            in_slopes[at] = through(in[at], at == best ? slope : 0.0f);
        }
    }
}

HOGWILD_HOST_DEVICE inline float mean_pool_slope(const Layer& layer, const float* slopes, std::uint32_t u) {
    const float share = 1.0f / static_cast<float>(layer.kernel * layer.kernel);
    float sum = 0;
    for_each_window_with(layer, u, [&](std::uint32_t output) { sum += share * slopes[output]; });
    return sum;
}

HOGWILD_HOST_DEVICE inline float padded(const Layer& layer, const float* in, std::uint32_t u) {
    const MapEntry output(layer.out, u);
    const std::uint32_t y = output.y - layer.padding, x = output.x - layer.padding; // beyond the map, if below 0
    const bool within = y < layer.in.height && x < layer.in.width;
    return within ? in[(y * layer.in.width + x) * layer.in.channels + output.channel] : 0.0f;
}

/// Where input u lies within the border.
HOGWILD_HOST_DEVICE inline std::uint32_t within_border(const Layer& layer, std::uint32_t u) {
    const MapEntry input(layer.in, u);
    return ((input.y + layer.padding) * layer.out.width + input.x + layer.padding) * layer.out.channels + input.channel;
}

} // namespace hogwild
