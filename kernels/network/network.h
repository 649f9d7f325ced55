// The shape of a feed-forward network: its layers, and where each one's weights lie in the parameter buffer.
//
// Feature maps are stored channels last (kernels/views/map_shape.h).
// A dense layer is a convolution whose window is the whole map.
//
//   weighted layers (dense, convolution): `depth` rows of out.channels weights, row k for entry k of the window, channels last, then
//                                         one row of biases;  out = f(sum over k of window[k] x row k + biases)
//   batch normalisation                   four rows of out.channels: gamma, beta, running mean, running variance
//                                         (kernels/network/layers/batch_norm.h)
//   pad                                   `padding` zeros around the map
//   pooling                               the largest, or the mean, of windows of kernel x kernel
//   dropout                               out = in x mask / (1 - rate) while training (kernels/network/dropout.h); in, else
//
// Each row is one group of coordinates: what locks and owners are of. The last layer has as many outputs as there are classes, and
// no activation: its outputs are the classes' scores (kernels/problems/network.h).
//
// A value that owns nothing and needs no memory of its own, so that a kernel's arguments can carry it to a GPU. How one is made from a
// text says engine/network/network.h. Thread-safety: immutable once made.
#pragma once

#include "kernels/annotate.h"
#include "kernels/views/map_shape.h"

#include <cstdint>

namespace hogwild {

enum class LayerKind : std::uint8_t { kDense, kConvolution, kPad, kMaxPool, kMeanPool, kDropout, kBatchNorm };
enum class Activation : std::uint8_t { kNone, kRelu, kTanh, kSigmoid };

/// Rows of weights of batch normalisation, and of what it keeps of a ghost batch.
struct NormRow {
    static constexpr std::uint32_t kGamma = 0, kBeta = 1, kMean = 2, kVariance = 3, kCount = 4;
};

struct Layer {
    LayerKind kind = LayerKind::kDense;
    Activation activation = Activation::kNone;
    MapShape in{}, out{};
    std::uint32_t kernel = 0;  // side of the window, of convolutions and pooling
    std::uint32_t stride = 1;  // from one window to the next
    std::uint32_t padding = 0; // zeros around the map
    float rate = 0;            // of dropout: the share that is left out

    std::uint32_t depth = 0;      // of dense layers and convolutions, rows of weights without the biases'; else 0
    std::uint32_t weights = 0;    // coordinate of the first
    std::uint32_t group = 0;      // number of its first row among the network's
    std::uint32_t output = 0;     // where its outputs begin among a sample's activations
    std::uint32_t statistics = 0; // of batch normalisation: where its rows begin among a sample's statistics

    /// A dense layer or a convolution.
    HOGWILD_HOST_DEVICE bool weighted() const { return depth > 0; }
    HOGWILD_HOST_DEVICE bool normalises() const { return kind == LayerKind::kBatchNorm; }
    /// Rows of the parameter buffer.
    HOGWILD_HOST_DEVICE std::uint32_t rows() const {
        return weighted() ? depth + 1 : normalises() ? NormRow::kCount : 0;
    }
    HOGWILD_HOST_DEVICE std::uint32_t biases() const { return weights + depth * out.channels; }
    /// The coordinate behind its last one.
    HOGWILD_HOST_DEVICE std::uint32_t end() const { return weights + rows() * out.channels; }
    /// Floats of a line of its input, and of a line of its window.
    HOGWILD_HOST_DEVICE std::uint32_t line() const { return in.width * in.channels; }
    HOGWILD_HOST_DEVICE std::uint32_t window_line() const { return kernel * in.channels; }
};

struct NetworkShape {
    static constexpr std::uint32_t kMostLayers = 24;

    Layer layers[kMostLayers];
    std::uint32_t count = 0;       // of layers
    std::uint32_t coordinates = 0; // all weights
    std::uint32_t groups = 0;      // all rows of weights
    std::uint32_t activations = 0; // floats of one sample's outputs of all layers
    std::uint32_t statistics = 0;  // floats that batch normalisation keeps of a ghost batch, with each of its samples
    std::uint32_t widest = 0;      // the most floats of one layer's outputs, or of an image

    HOGWILD_HOST_DEVICE const Layer& last() const { return layers[count - 1]; }

    /// Number of the layer that coordinate j belongs to.
    HOGWILD_HOST_DEVICE std::uint32_t layer_of(std::uint32_t j) const {
        std::uint32_t l = 0;
        while (j >= layers[l].end()) ++l;
        return l;
    }

    HOGWILD_HOST_DEVICE bool normalises() const { return statistics > 0; }
};

} // namespace hogwild
