// Mean pooling: the mean of each window. For one sample; maps are channels last.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/layers/layer_form.h"
#include "kernels/network/layers/layer_sample.h"
#include "kernels/network/layers/windows.h"
#include "kernels/network/network.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

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

/// The slope along input u.
HOGWILD_HOST_DEVICE inline float mean_pool_slope(const Layer& layer, const float* slopes, std::uint32_t u) {
    const float share = 1.0f / static_cast<float>(layer.kernel * layer.kernel);
    float sum = 0;
    for_each_window_with(layer, u, [&](std::uint32_t output) { sum += share * slopes[output]; });
    return sum;
}

struct MeanPoolLayer {
    static constexpr LayerKind kKind = LayerKind::kMeanPool;
    static constexpr LayerForm kForm{
        "meanpool", "meanpool SIDE [stride N]", "meanpool 2", {LayerWord::kPoolSide, LayerWord::kStride}};

    static void forward(const LayerSample& of, const float* in, float* out) { mean_pool(of.layer, in, out); }
    static void back(const LayerSample& of, const float*, const float* slopes, float* in_slopes) {
        mean_pool_back(of.layer, slopes, in_slopes);
    }
};

} // namespace hogwild
