// A border of zeros around a map. For one sample; maps are channels last. A convolution brings it along where its text says so.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/layers/layer_form.h"
#include "kernels/network/layers/layer_sample.h"
#include "kernels/network/layers/windows.h"
#include "kernels/network/network.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// visit(begin of a line of the map, begin of the same line within the border) for every line.
inline void for_each_line_within(const Layer& layer, const auto& visit) {
    const std::uint32_t wide = layer.out.width * layer.out.channels;
    for (std::uint32_t y = 0; y < layer.in.height; ++y)
        visit(y * layer.line(), (y + layer.padding) * wide + layer.padding * layer.in.channels);
}

inline void pad(const Layer& layer, const float* in, float* out) {
    std::fill_n(out, layer.out.size(), 0.0f);
    for_each_line_within(layer,
                         [&](std::uint32_t from, std::uint32_t to) { std::copy_n(in + from, layer.line(), out + to); });
}

inline void pad_back(const Layer& layer, const float* slopes, float* in_slopes) {
    for_each_line_within(
        layer, [&](std::uint32_t to, std::uint32_t from) { std::copy_n(slopes + from, layer.line(), in_slopes + to); });
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

struct PadLayer {
    static constexpr LayerKind kKind = LayerKind::kPad;
    static constexpr LayerForm kForm{.name = "pad"};

    static void forward(const LayerSample& of, const float* in, float* out) { pad(of.layer, in, out); }
    static void back(const LayerSample& of, const float*, const float* slopes, float* in_slopes) {
        pad_back(of.layer, slopes, in_slopes);
    }
};

} // namespace hogwild
