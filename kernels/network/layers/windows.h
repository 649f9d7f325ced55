// Windows of a map: where they begin, and which of them have an entry. For one sample; maps are channels last.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

/// visit(begin of the window in the input, begin of the place in the output) for every place of the output.
inline void for_each_window(const Layer& layer, const auto& visit) {
    for (std::uint32_t y = 0; y < layer.out.height; ++y) {
        for (std::uint32_t x = 0; x < layer.out.width; ++x) {
            visit((y * layer.in.width + x) * layer.stride * layer.in.channels,
                  (y * layer.out.width + x) * layer.out.channels);
        }
    }
}

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

/// visit(u) for every output whose window has input u, line by line.
HOGWILD_HOST_DEVICE inline void for_each_window_with(const Layer& layer, std::uint32_t u, const auto& visit) {
    const MapEntry input(layer.in, u);
    const auto first = [&](std::uint32_t at) { return at < layer.kernel ? 0 : (at - layer.kernel) / layer.stride + 1; };
    for (std::uint32_t y = first(input.y); y * layer.stride <= input.y && y < layer.out.height; ++y) {
        for (std::uint32_t x = first(input.x); x * layer.stride <= input.x && x < layer.out.width; ++x)
            visit((y * layer.out.width + x) * layer.out.channels + input.channel);
    }
}

/// Whether every input is in exactly one window.
HOGWILD_HOST_DEVICE inline bool windows_part(const Layer& layer) {
    return layer.stride == layer.kernel && layer.out.height * layer.kernel == layer.in.height &&
           layer.out.width * layer.kernel == layer.in.width;
}

} // namespace hogwild
