// A network by plain loops in double, as its text says it: what kernels/patterns/network_pass.h is held against.
//
// Nothing is shared with what is tested but the shape and the masks of dropout. Weights are doubles, so that slopes can be held against
// differences. Samples go through together, as one ghost batch.
#pragma once

#include "kernels/network/bound_images.h"
#include "kernels/network/dropout.h"
#include "kernels/problems/network.h"
#include "kernels/views/images_view.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace hogwild {

class NetworkReference {
public:
    NetworkReference(const ImagesView& data, const DropoutDraws& draws) : data_(data), draws_(draws) {}

    using Numbers = std::vector<double>;

    /// The sum of these samples' losses; keeps what `gradient` and `measured` need.
    double loss(const std::vector<std::uint32_t>& samples, const Numbers& weights) {
        samples_ = samples;
        outputs_.assign(1, {});
        measured_.assign(data_.network().coordinates, 0);
        for (const std::uint32_t i : samples) {
            Numbers image;
            for (std::uint32_t k = 0; k < data_.shape.size(); ++k) image.push_back(data_.row(i).pixels[k] / 255.0);
            outputs_[0].push_back(image);
        }
        for (std::uint32_t l = 0; l < data_.network().count; ++l)
            outputs_.push_back(forward(l, outputs_.back(), weights));
        double sum = 0;
        for (std::size_t s = 0; s < samples.size(); ++s)
            sum += Network::value(outputs_.back()[s].data(), data_.classes, data_.row(samples[s]).label);
        return sum;
    }

    /// The gradient of the sum that was taken last.
    Numbers gradient(const Numbers& weights) const {
        Numbers result(data_.network().coordinates);
        Maps slopes;
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            slopes.emplace_back(data_.classes);
            Network::slopes(outputs_.back()[s].data(), data_.classes, data_.row(samples_[s]).label, slopes[s].data());
        }
        for (std::uint32_t l = data_.network().count; l-- > 0;) slopes = back(l, std::move(slopes), weights, result);
        return result;
    }

    /// At the coordinates of running statistics: the mean, and the variance with n - 1, of these samples.
    const Numbers& measured() const { return measured_; }

private:
    using Maps = std::vector<Numbers>; // of each sample

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
        case Activation::kNone: break;
        }
        return x;
    }

    static double slope(Activation activation, double output) {
        switch (activation) {
        case Activation::kRelu: return output > 0 ? 1 : 0;
        case Activation::kTanh: return 1 - output * output;
        case Activation::kSigmoid: return output * (1 - output);
        case Activation::kNone: break;
        }
        return 1;
    }

    Maps forward(std::uint32_t l, const Maps& in, const Numbers& weights) {
        const Layer& layer = data_.network().layers[l];
        Maps out;
        if (layer.kind == LayerKind::kBatchNorm) {
            out = normalised(layer, in, weights);
        } else {
            for (std::size_t s = 0; s < in.size(); ++s) out.push_back(forward(l, samples_[s], in[s], weights));
        }
        for (Numbers& map : out)
            for (double& x : map) x = activated(layer.activation, x);
        return out;
    }

    /// visit(sample, entry) for all that a channel has.
    static void for_each_value(const Layer& layer, const Maps& maps, std::uint32_t channel, const auto& visit) {
        for (std::size_t s = 0; s < maps.size(); ++s)
            for (std::uint32_t u = channel; u < layer.in.size(); u += layer.in.channels) visit(s, u);
    }

    struct Moments {
        double values = 0, mean = 0, variance = 0;
    };

    static Moments moments(const Layer& layer, const Maps& in, std::uint32_t channel) {
        Moments of;
        for_each_value(layer, in, channel, [&](std::size_t s, std::uint32_t u) {
            of.values += 1;
            of.mean += in[s][u];
        });
        of.mean /= of.values;
        for_each_value(layer, in, channel, [&](std::size_t s, std::uint32_t u) {
            of.variance += (in[s][u] - of.mean) * (in[s][u] - of.mean) / of.values;
        });
        return of;
    }

    static std::uint32_t norm_weight(const Layer& layer, std::uint32_t row, std::uint32_t channel) {
        return layer.weights + row * layer.in.channels + channel;
    }

    Maps normalised(const Layer& layer, const Maps& in, const Numbers& weights) {
        Maps out(in.size(), Numbers(layer.out.size()));
        for (std::uint32_t c = 0; c < layer.in.channels; ++c) {
            Moments by = moments(layer, in, c);
            measured_[norm_weight(layer, 2, c)] = by.mean;
            measured_[norm_weight(layer, 3, c)] = by.variance * by.values / (by.values - 1);
            if (!draws_.trains) by = {0, weights[norm_weight(layer, 2, c)], weights[norm_weight(layer, 3, c)]};
            for_each_value(layer, in, c, [&](std::size_t s, std::uint32_t u) {
                out[s][u] = weights[norm_weight(layer, 0, c)] * (in[s][u] - by.mean) / std::sqrt(by.variance + 1e-5) +
                            weights[norm_weight(layer, 1, c)];
            });
        }
        return out;
    }

    /// By the chain rule through x = (in - mean) / deviation, the deviation and the mean, one after another.
    Maps normalised_back(const Layer& layer, const Maps& in, const Maps& slopes, const Numbers& weights,
                         Numbers& gradient) const {
        Maps before(in.size(), Numbers(layer.in.size()));
        for (std::uint32_t c = 0; c < layer.in.channels; ++c) {
            const Moments by = moments(layer, in, c);
            const double gamma = weights[norm_weight(layer, 0, c)], deviation = std::sqrt(by.variance + 1e-5);
            double along_variance = 0, along_mean = 0;
            for_each_value(layer, in, c, [&](std::size_t s, std::uint32_t u) {
                const double centred = in[s][u] - by.mean;
                gradient[norm_weight(layer, 0, c)] += slopes[s][u] * centred / deviation;
                gradient[norm_weight(layer, 1, c)] += slopes[s][u];
                along_variance -= slopes[s][u] * gamma * centred / (2 * deviation * deviation * deviation);
                along_mean -= slopes[s][u] * gamma / deviation;
            });
            for_each_value(layer, in, c, [&](std::size_t s, std::uint32_t u) {
                before[s][u] = slopes[s][u] * gamma / deviation +
                               along_variance * 2 * (in[s][u] - by.mean) / by.values + along_mean / by.values;
            });
        }
        return before;
    }

    /// Before its activation, of one sample.
    Numbers forward(std::uint32_t l, std::uint32_t sample, const Numbers& in, const Numbers& weights) const {
        const Layer& layer = data_.network().layers[l];
        Numbers out(layer.out.size());
        if (layer.weighted()) {
            for (std::uint32_t u = 0; u < out.size(); ++u) out[u] = weights[layer.biases() + u % layer.out.channels];
            for_each_product(layer, [&](std::uint32_t from, std::uint32_t to, std::uint32_t row, std::uint32_t column) {
                out[to] += in[from] * weights[layer.weights + row * layer.out.channels + column];
            });
        } else if (layer.kind == LayerKind::kPad) {
            for (std::uint32_t u = 0; u < in.size(); ++u) out[padded(layer, u)] = in[u];
        } else if (layer.kind == LayerKind::kDropout) {
            for (std::uint32_t u = 0; u < in.size(); ++u) out[u] = in[u] * draws_.factor(sample, l, u, layer.rate);
        } else if (layer.kind == LayerKind::kMaxPool) {
            std::fill(out.begin(), out.end(), -INFINITY);
            for_each_look(layer, [&](std::uint32_t from, std::uint32_t to) { out[to] = std::max(out[to], in[from]); });
        } else {
            for_each_look(layer, [&](std::uint32_t from, std::uint32_t to) {
                out[to] += in[from] / (layer.kernel * layer.kernel);
            });
        }
        return out;
    }

    /// Adds to the gradient, and returns the slopes along the layer's inputs.
    Maps back(std::uint32_t l, Maps slopes, const Numbers& weights, Numbers& gradient) const {
        const Layer& layer = data_.network().layers[l];
        const Maps &in = outputs_[l], &out = outputs_[l + 1];
        for (std::size_t s = 0; s < slopes.size(); ++s)
            for (std::size_t u = 0; u < slopes[s].size(); ++u) slopes[s][u] *= slope(layer.activation, out[s][u]);
        if (layer.kind == LayerKind::kBatchNorm) return normalised_back(layer, in, slopes, weights, gradient);
        Maps before;
        for (std::size_t s = 0; s < slopes.size(); ++s)
            before.push_back(back(l, samples_[s], in[s], out[s], slopes[s], weights, gradient));
        return before;
    }

    /// Back through a layer, of one sample, by slopes along sums.
    Numbers back(std::uint32_t l, std::uint32_t sample, const Numbers& in, const Numbers& out, const Numbers& slopes,
                 const Numbers& weights, Numbers& gradient) const {
        const Layer& layer = data_.network().layers[l];
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
            for (std::uint32_t u = 0; u < before.size(); ++u)
                before[u] = slopes[u] * draws_.factor(sample, l, u, layer.rate);
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

    const ImagesView& data_;
    DropoutDraws draws_;
    std::vector<std::uint32_t> samples_;
    std::vector<Maps> outputs_; // images, then every layer's
    Numbers measured_;
};

} // namespace hogwild
