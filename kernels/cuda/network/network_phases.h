// The phases of a step on a network: within one, whatever blocks do they do beside each other; each waits for the one before.
// Readable by the host compiler.
//
//   0                the batch's images become floats
//   1 .. L           outputs of layer 0 .. L - 1
//   L + 1            slopes along scores
//   L + 2 .. 2 L     slopes along the outputs of layer L - 2 .. 0
//   2 L + 1          gradients, added to the weights but for those of convolutions, which are made in parts; running statistics
//   2 L + 2          parts are added up, and to the weights; where there is a convolution
//
// Steps that are launches by launch a lock-free worker's have an end, too (kernels/cuda/network/network_graph.h).
//
// Slopes along scores are made in the phase of the scores where these are a dense layer's and few. A convolution and the max pooling
// after it are one phase either way where there is code for their sizes (kernels/cuda/products/conv_pool.h). The pooling's own are
// empty. What lies in the place of the convolution's outputs then is which entries won, a byte each.
#pragma once

#include "kernels/annotate.h"
#include "kernels/cuda/products/conv_pool_units.h"
#include "kernels/cuda/products/dense_cut.h"
#include "kernels/cuda/products/tile_cut.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

enum class PhaseKind : std::uint8_t { kImages, kForward, kScores, kBack, kGradient, kParts, kEnd };

struct NetworkPhase {
    PhaseKind kind = PhaseKind::kImages;
    std::uint32_t layer = 0;
};

HOGWILD_HOST_DEVICE inline bool convolves(const NetworkShape& network) {
    for (std::uint32_t l = 0; l < network.count; ++l)
        if (network.layers[l].kind == LayerKind::kConvolution) return true;
    return false;
}

HOGWILD_HOST_DEVICE inline std::uint32_t phases(const NetworkShape& network) {
    return 2 * network.count + 2 + (convolves(network) ? 1 : 0);
}

HOGWILD_HOST_DEVICE inline NetworkPhase phase_at(const NetworkShape& network, std::uint32_t phase) {
    const std::uint32_t layers = network.count;
    if (phase == 0) return {PhaseKind::kImages, 0};
    if (phase <= layers) return {PhaseKind::kForward, phase - 1};
    if (phase == layers + 1) return {PhaseKind::kScores, 0};
    if (phase <= 2 * layers) return {PhaseKind::kBack, 2 * layers + 1 - phase};
    return {phase == 2 * layers + 1 ? PhaseKind::kGradient : PhaseKind::kParts, 0};
}

/// Parts of a convolution's gradient, at most, where a device's blocks share a phase: enough for all of them.
inline constexpr std::uint32_t kMostParts = 64;

/// Squads that share a phase that is a launch of its own, at most: two for each multiprocessor.
inline constexpr std::uint32_t kLaunchedSquads = 132 * 2;

/// Whether the last layer's product can be cut into tiles of whole rows, so that whoever has made a sample's scores has all of them.
HOGWILD_HOST_DEVICE inline bool scores_lie_in_tiles(const NetworkShape& network) {
    return network.last().kind == LayerKind::kDense && network.last().out.channels <= kMostColumns;
}

/// Bit l: layer number l is taken together with the one after, the last one with the slopes along its scores. `given`: products of
/// dense layers are (kernels/cuda/network/network_graph.h).
HOGWILD_HOST_DEVICE inline std::uint32_t fused_layers(const NetworkShape& network, bool given) {
    std::uint32_t fused = 0;
    for (std::uint32_t l = 0; l + 1 < network.count; ++l) {
        if (is_conv_pool(network, l) && fits(ConvPool(network.layers[l], network.layers[l + 1]), kSquadFloats))
            fused |= 1u << l;
    }
    if (!given && scores_lie_in_tiles(network)) fused |= 1u << (network.count - 1);
    return fused;
}

/// A convolution that is taken together with the pooling after it.
HOGWILD_HOST_DEVICE inline bool fused(std::uint32_t fused, std::uint32_t layer, const NetworkShape& network) {
    return layer + 1 < network.count && (fused >> layer & 1) != 0;
}
HOGWILD_HOST_DEVICE inline bool joins_scores(std::uint32_t fused, const NetworkShape& network) {
    return (fused >> (network.count - 1) & 1) != 0;
}

HOGWILD_HOST_DEVICE inline bool is_empty(const NetworkShape& network, std::uint32_t fused, const NetworkPhase& phase) {
    if (phase.kind == PhaseKind::kScores) return joins_scores(fused, network);
    const bool of_layer = phase.kind == PhaseKind::kForward || phase.kind == PhaseKind::kBack;
    return of_layer && phase.layer > 0 && hogwild::fused(fused, phase.layer - 1, network);
}

/// Samples of each part of a convolution's gradient, and how many parts there are.
struct GradientParts {
    std::uint32_t samples, parts;

    HOGWILD_HOST_DEVICE GradientParts(std::uint32_t count, std::uint32_t most)
        : samples((count + most - 1) / most), parts((count + samples - 1) / samples) {}
};

} // namespace hogwild
