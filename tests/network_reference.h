// A network by plain loops in double, as its text says it: what kernels/patterns/network_pass.h is held against.
//
// Nothing is shared with what is tested but the shape and the masks of dropout. Weights are doubles, so that slopes can be held against
// differences.
#pragma once

#include "kernels/dropout.h"
#include "kernels/images_view.h"
#include "kernels/problems/network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace hogwild {

class NetworkReference {
public:
    NetworkReference(const ImagesView& data, const DropoutDraws& draws) : data_(data), draws_(draws) {}

    /// The loss of sample i; keeps what `gradient` needs.
    double loss(std::uint32_t i, const std::vector<double>& weights) {
        sample_ = i;
        const LabelledImage image = data_.row(i);
        outputs_.assign(1, {});
        for (std::uint32_t k = 0; k < data_.shape.size(); ++k) outputs_[0].push_back(image.pixels[k] / 255.0);
        for (std::uint32_t l = 0; l < data_.network.count; ++l)
            outputs_.push_back(forward(l, outputs_.back(), weights));
        return Network::value(outputs_.back().data(), data_.classes, image.label);
    }

    /// Of the sample whose loss was taken last.
    std::vector<double> gradient(const std::vector<double>& weights) const {
        std::vector<double> result(data_.network.coordinates), slopes(data_.classes);
        Network::slopes(outputs_.back().data(), data_.classes, data_.row(sample_).label, slopes.data());
        for (std::uint32_t l = data_.network.count; l-- > 0;) slopes = back(l, slopes, weights, result);
        return result;
    }

private:
    using Numbers = std::vector<double>;

    static std::uint32_t at(const MapShape& map, std::uint32_t y, std::uint32_t x, std::uint32_t c) {
        return (y * map.width + x) * map.channels + c;
    }

    /// visit(input entry, output entry, row of weights, column) for every product of a weighted layer.
    static void for_each_product(const Layer& layer, const auto& visit) {
        const MapShape &in = layer.in, &out = layer.out;
        for (std::uint32_t f = 0; f < out.channels; ++f) {
            if (layer.kind == LayerKind::kDense) {
                for (std::uint32_t k = 0; k < in.size(); ++k) visit(k, f, k, f);
                continue;
            }
            for (std::uint32_t y = 0; y < out.height; ++y)
                for (std::uint32_t x = 0; x < out.width; ++x)
                    for (std::uint32_t ky = 0; ky < layer.kernel; ++ky)
                        for (std::uint32_t kx = 0; kx < layer.kernel; ++kx)
                            for (std::uint32_t c = 0; c < in.channels; ++c)
                                visit(at(in, y * layer.stride + ky, x * layer.stride + kx, c), at(out, y, x, f),
                                      (ky * layer.kernel + kx) * in.channels + c, f);
        }
    }

    /// visit(input entry, output entry) for every entry that a window looks at.
    static void for_each_look(const Layer& layer, const auto& visit) {
        const MapShape &in = layer.in, &out = layer.out;
        for (std::uint32_t y = 0; y < out.height; ++y)
            for (std::uint32_t x = 0; x < out.width; ++x)
                for (std::uint32_t c = 0; c < out.channels; ++c)
                    for (std::uint32_t ky = 0; ky < layer.kernel; ++ky)
                        for (std::uint32_t kx = 0; kx < layer.kernel; ++kx)
                            visit(at(in, y * layer.stride + ky, x * layer.stride + kx, c), at(out, y, x, c));
    }

    static double activated(Activation activation, double x) {
        switch (activation) {
        case Activation::kRelu: return std::max(x, 0.0);
        case Activation::kTanh: return std::tanh(x);
        case Activation::kSigmoid: return 1 / (1 + std::exp(-x));
        default: return x;
        }
    }

    static double slope(Activation activation, double output) {
        switch (activation) {
        case Activation::kRelu: return output > 0 ? 1 : 0;
        case Activation::kTanh: return 1 - output * output;
        case Activation::kSigmoid: return output * (1 - output);
        default: return 1;
        }
    }

    Numbers forward(std::uint32_t l, const Numbers& in, const Numbers& weights) const {
        const Layer& layer = data_.network.layers[l];
        Numbers out(layer.out.size());
        if (layer.weighted()) {
            for (std::uint32_t u = 0; u < out.size(); ++u) out[u] = weights[layer.biases() + u % layer.out.channels];
            for_each_product(layer, [&](std::uint32_t from, std::uint32_t to, std::uint32_t row, std::uint32_t column) {
                out[to] += in[from] * weights[layer.weights + row * layer.out.channels + column];
            });
        } else if (layer.kind == LayerKind::kPad) {
            for (std::uint32_t u = 0; u < in.size(); ++u) out[padded(layer, u)] = in[u];
        } else if (layer.kind == LayerKind::kDropout) {
            for (std::uint32_t u = 0; u < in.size(); ++u) out[u] = in[u] * mask(layer, l, u);
        } else if (layer.kind == LayerKind::kMaxPool) {
            std::fill(out.begin(), out.end(), -INFINITY);
            for_each_look(layer, [&](std::uint32_t from, std::uint32_t to) { out[to] = std::max(out[to], in[from]); });
        } else {
            for_each_look(layer, [&](std::uint32_t from, std::uint32_t to) {
                out[to] += in[from] / (layer.kernel * layer.kernel);
            });
        }
        for (double& x : out) x = activated(layer.activation, x);
        return out;
    }

    /// Adds to the gradient, and returns the slopes along the layer's inputs.
    Numbers back(std::uint32_t l, Numbers slopes, const Numbers& weights, Numbers& gradient) const {
        const Layer& layer = data_.network.layers[l];
        const Numbers &in = outputs_[l], &out = outputs_[l + 1];
        for (std::uint32_t u = 0; u < slopes.size(); ++u) slopes[u] *= slope(layer.activation, out[u]);
        Numbers before(layer.in.size());
        if (layer.weighted()) {
            for (std::uint32_t u = 0; u < slopes.size(); ++u)
                gradient[layer.biases() + u % layer.out.channels] += slopes[u];
            for_each_product(layer, [&](std::uint32_t from, std::uint32_t to, std::uint32_t row, std::uint32_t column) {
                const std::uint32_t j = layer.weights + row * layer.out.channels + column;
                gradient[j] += in[from] * slopes[to];
                before[from] += weights[j] * slopes[to];
            });
        } else if (layer.kind == LayerKind::kPad) {
            for (std::uint32_t u = 0; u < before.size(); ++u) before[u] = slopes[padded(layer, u)];
        } else if (layer.kind == LayerKind::kDropout) {
            for (std::uint32_t u = 0; u < before.size(); ++u) before[u] = slopes[u] * mask(layer, l, u);
        } else if (layer.kind == LayerKind::kMaxPool) {
            std::vector<bool> taken(slopes.size());
            for_each_look(layer, [&](std::uint32_t from, std::uint32_t to) {
                if (taken[to] || in[from] != out[to]) return;
                before[from] += slopes[to];
                taken[to] = true;
            });
        } else {
            for_each_look(layer, [&](std::uint32_t from, std::uint32_t to) {
                before[from] += slopes[to] / (layer.kernel * layer.kernel);
            });
        }
        return before;
    }

    static std::uint32_t padded(const Layer& layer, std::uint32_t u) {
        const std::uint32_t c = u % layer.in.channels, x = u / layer.in.channels % layer.in.width,
                            y = u / layer.in.channels / layer.in.width;
        return at(layer.out, y + layer.padding, x + layer.padding, c);
    }

    double mask(const Layer& layer, std::uint32_t l, std::uint32_t u) const {
        return draws_.factor(sample_, l, u, layer.rate);
    }

    const ImagesView& data_;
    DropoutDraws draws_;
    std::uint32_t sample_ = 0;
    std::vector<Numbers> outputs_; // the image, then every layer's
};

} // namespace hogwild
