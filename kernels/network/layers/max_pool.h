// Max pooling: the largest entry of each window. For one sample; maps are channels last.
//
// Where several entries of a window are the largest, the first one, line by line, has the whole slope.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/layers/layer_form.h"
#include "kernels/network/layers/layer_sample.h"
#include "kernels/network/layers/windows.h"
#include "kernels/network/network.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

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

/// Where the largest entry of output u's window lies, in the input.
HOGWILD_HOST_DEVICE inline std::uint32_t largest_of(const Layer& layer, const float* in, std::uint32_t u) {
    const MapEntry output(layer.out, u);
    const std::uint32_t begin = window_begin(layer, output);
    return begin + largest_of_window(layer, in + begin, output.channel);
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

struct MaxPoolLayer {
    static constexpr LayerKind kKind = LayerKind::kMaxPool;
    static constexpr LayerForm kForm{
        "maxpool", "maxpool SIDE [stride N]", "maxpool 2", {LayerWord::kPoolSide, LayerWord::kStride}};

    static void forward(const LayerSample& of, const float* in, float* out) { max_pool(of.layer, in, out); }
    static void back(const LayerSample& of, const float* in, const float* slopes, float* in_slopes) {
        max_pool_back(of.layer, in, slopes, in_slopes);
    }
};

} // namespace hogwild
