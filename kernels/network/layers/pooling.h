// Layers without weights that look at a map through windows, or give it a border. Of one sample; maps are channels last.
//
// Of several entries of a window that are the largest, the first one, line by line, has the whole slope.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"

#include <algorithm>
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

/// Where the largest entry of channel c lies, of the window that begins at `in`.
HOGWILD_HOST_DEVICE inline std::uint32_t largest_of_window(const Layer& layer, const float* in, std::uint32_t c) {
    std::uint32_t best = c;
    for (std::uint32_t ky = 0; ky < layer.kernel; ++ky) {
        for (std::uint32_t kx = 0; kx < layer.kernel; ++kx) {
            const std::uint32_t at = ky * layer.line() + kx * layer.in.channels + c;
            if (in[at] > in[best] || in[at] != in[at]) best = at; // NaN is seen at the end
        }
    }
    return best;
}

inline void max_pool(const Layer& layer, const float* in, float* out) {
    for_each_window(layer, [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t c = 0; c < layer.out.channels; ++c)
            out[to + c] = in[from + largest_of_window(layer, in + from, c)];
    });
}

inline void max_pool_back(const Layer& layer, const float* in, const float* slopes, float* in_slopes) {
    std::fill_n(in_slopes, layer.in.size(), 0.0f);
    for_each_window(layer, [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t c = 0; c < layer.out.channels; ++c)
            in_slopes[from + largest_of_window(layer, in + from, c)] += slopes[to + c];
    });
}

inline void mean_pool(const Layer& layer, const float* in, float* out) {
    const float share = 1.0f / static_cast<float>(layer.kernel * layer.kernel);
    std::fill_n(out, layer.out.size(), 0.0f);
    for_each_window(layer, [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t ky = 0; ky < layer.kernel; ++ky) {
            for (std::uint32_t kx = 0; kx < layer.kernel; ++kx) {
                const float* const place = in + from + ky * layer.line() + kx * layer.in.channels;
                for (std::uint32_t c = 0; c < layer.out.channels; ++c) out[to + c] += share * place[c];
            }
        }
    });
}

inline void mean_pool_back(const Layer& layer, const float* slopes, float* in_slopes) {
    const float share = 1.0f / static_cast<float>(layer.kernel * layer.kernel);
    std::fill_n(in_slopes, layer.in.size(), 0.0f);
    for_each_window(layer, [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t ky = 0; ky < layer.kernel; ++ky) {
            for (std::uint32_t kx = 0; kx < layer.kernel; ++kx) {
                float* const place = in_slopes + from + ky * layer.line() + kx * layer.in.channels;
                for (std::uint32_t c = 0; c < layer.out.channels; ++c) place[c] += share * slopes[to + c];
            }
        }
    });
}

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

} // namespace hogwild
