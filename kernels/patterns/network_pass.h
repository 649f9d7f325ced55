// A network's way forward, from images to scores, and back, from the loss's slopes along scores to those along every layer's sums.
//
// Training, or not: dropout and batch normalisation do something else then.
// Both are compiled once for each instruction set, with the same bits: what a layer's step costs is its sums.
// Thread-safety: weights may be written by others meanwhile, each access to them is a relaxed atomic; tape and windows are the
// caller's own.
#pragma once

#include "kernels/lanes/dispatch.h"
#include "kernels/network/activation.h"
#include "kernels/network/dropout.h"
#include "kernels/network/layers/batch_norm.h"
#include "kernels/network/layers/kinds.h"
#include "kernels/network/layers/pooled_convolution.h"
#include "kernels/network/layers/tape.h"
#include "kernels/network/layers/weighted.h"
#include "kernels/probes/layers.h"
#include "kernels/views/images_view.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

/// Samples that go through a network together.
struct ImageBatch {
    const std::uint32_t* samples;
    std::uint32_t count;
    std::uint32_t groups, coordinates; // of the network

    void for_each_group(const auto& visit) const {
        for (std::uint32_t g = 0; g < groups; ++g) visit(g);
    }
    void for_each_coordinate(const auto& visit) const {
        for (std::uint32_t j = 0; j < coordinates; ++j) visit(j);
    }
};

class NetworkPass {
public:
    /// `probe`: told of each layer before the way forward reads it; null: nobody is.
    NetworkPass(const ImagesView& data, const DropoutDraws& draws, float* tape, float* windows,
                LayerProbe* probe = nullptr)
        : data_(data), draws_(draws), tape_(data, tape), windows_(windows), probe_(probe) {}

    /// Floats of `windows`: what a layer makes of its weights, or its windows.
    static std::size_t windows(const ImagesView& data) {
        std::size_t most = 0;
        for (std::uint32_t l = 0; l < data.network().count; ++l) {
            const Layer& layer = data.network().layers[l];
            if (PooledConvolution::begins_at(data.network(), l))
                most = std::max(most, PooledConvolution::floats(data.network(), l));
            else if (layer.kind == LayerKind::kConvolution)
                most = std::max(most, std::size_t{layer.out.width} * layer.depth);
        }
        return most;
    }

    const NetworkTape& tape() const { return tape_; }

    /// From the samples' images to their scores.
    template <class Lanes>
    void forward(const ImageBatch& batch, const float* weights) const {
        OnLanes<ForwardBody, const NetworkPass&, const ImageBatch&, const float*>::template on<Lanes>(*this, batch,
                                                                                                      weights);
    }

    /// From the scores to the slopes of each sample's loss along all sums. Its forward pass has been.
    template <class Problem, class Lanes>
    void back(const ImageBatch& batch, const float* weights) const {
        OnLanes<BackBody<Problem>, const NetworkPass&, const ImageBatch&, const float*>::template on<Lanes>(
            *this, batch, weights);
    }

private:
    struct ForwardBody {
        template <class Lanes>
        static void run(const NetworkPass& pass, const ImageBatch& batch, const float* weights) {
            pass.forward_on<Lanes>(batch, weights);
        }
    };

    template <class Problem>
    struct BackBody {
        template <class Lanes>
        static void run(const NetworkPass& pass, const ImageBatch& batch, const float* weights) {
            pass.back_on<Problem, Lanes>(batch, weights);
        }
    };

    template <class Lanes>
    void forward_on(const ImageBatch& batch, const float* weights) const {
        const NetworkShape& network = data_.network();
        const std::uint32_t entries = data_.shape.size();
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const std::uint8_t* const pixels = data_.pixels + std::size_t{batch.samples[i]} * entries;
            float* const image = tape_.image(i);
            for (std::uint32_t k = 0; k < entries; ++k) image[k] = static_cast<float>(pixels[k]) * (1.0f / 255.0f);
        }
        for (std::uint32_t l = 0; l < network.count; ++l) {
            const Layer& layer = network.layers[l];
            if (layer.weighted() && probe_ != nullptr) probe_->read(l);
            if (PooledConvolution::begins_at(network, l)) {
                PooledConvolution(network, l, tape_).template forward<Lanes>(weights, batch.count, windows_);
                ++l; // the pooling
                continue;
            }
            if (layer.weighted()) forward_weighted<Lanes>(layer, l, weights, tape_, batch.count);
            if (layer.normalises()) BatchNorm::forward(layer, l, weights, tape_, batch.count, draws_.trains);
            for (std::uint32_t i = 0; i < batch.count; ++i) {
                const LayerSample of{layer, l, batch.samples[i], draws_};
                const float* const in = tape_.input(i, l);
                float* const out = tape_.output(i, l);
                with_layer(layer.kind, [&]<class Kind>(Kind) { forward_sample<Kind>(of, in, out); });
            }
        }
    }

    template <class Problem, class Lanes>
    void back_on(const ImageBatch& batch, const float* weights) const {
        const NetworkShape& network = data_.network();
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            Problem::slopes(tape_.scores(i), data_.classes, data_.labels[batch.samples[i]],
                            tape_.slopes(i, network.count - 1));
        }
        const std::uint32_t first = first_with_weights(network);
        for (std::uint32_t l = network.count; l-- > 0;) {
            const Layer& layer = network.layers[l];
            if (layer.normalises()) BatchNorm::sum_slopes(layer, l, tape_, batch.count);
            if (l == first) break; // nobody asks for slopes along its inputs
            const Layer& before = network.layers[l - 1];
            if (PooledConvolution::begins_at(network, l - 1)) { // the pooling
                PooledConvolution(network, l - 1, tape_).template back_to_sums<Lanes>(batch.count);
                continue;
            }
            if (layer.normalises()) BatchNorm::back(layer, l, weights, tape_, batch.count);
            if (PooledConvolution::begins_at(network, l))
                PooledConvolution(network, l, tape_).template back<Lanes>(weights, batch.count, windows_);
            else if (layer.weighted())
                back_weighted<Lanes>(layer, l, weights, tape_, batch.count, windows_);
            for (std::uint32_t i = 0; i < batch.count; ++i) {
                const LayerSample of{layer, l, batch.samples[i], draws_};
                const float *const in = tape_.input(i, l), *const slopes = tape_.slopes(i, l);
                float* const in_slopes = tape_.slopes(i, l - 1);
                with_layer(layer.kind, [&]<class Kind>(Kind) {
                    if constexpr (StepsBySample<Kind>) Kind::back(of, in, slopes, in_slopes);
                });
                through_activation(before.activation, tape_.output(i, l - 1), in_slopes, before.out.size());
            }
        }
    }

    static std::uint32_t first_with_weights(const NetworkShape& network) {
        std::uint32_t l = 0;
        while (network.layers[l].rows() == 0) ++l;
        return l;
    }

    /// Layers with weights have their sums by now.
    template <class Kind>
    static void forward_sample(const LayerSample& of, const float* in, float* out) {
        if constexpr (StepsBySample<Kind>)
            Kind::forward(of, in, out);
        else
            activate(of.layer.activation, out, of.layer.out.size());
    }

    const ImagesView& data_;
    DropoutDraws draws_;
    NetworkTape tape_;
    float* windows_;
    LayerProbe* probe_;
};

} // namespace hogwild
