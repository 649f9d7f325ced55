// The phases of a step on a network: within one, whatever blocks do they do beside each other; each waits for the one before. Readable by
// the host compiler.
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
// after it are one phase either way where there is code for their sizes (kernels/network/layers/conv_pool.h); the pooling's own are empty. What lies in the place of the convolution's outputs then is which entries won, a byte each.
#pragma once

#include "kernels/annotate.h"
#include "kernels/cuda/products/conv_pool_units.h"
#include "kernels/cuda/products/dense_cut.h"
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

/// Floats of a squad's memory.
inline constexpr std::uint32_t kSquadFloats = 13'824;

/// Whether the last layer's product can be cut into tiles of whole rows, so that whoever has made a sample's scores has all of them.
HOGWILD_HOST_DEVICE inline bool scores_lie_in_tiles(const NetworkShape& network) {
    return network.last().kind == LayerKind::kDense && network.last().out.channels <= kMostColumns;
}

/// Bit l: layer number l is taken together with the one after, the last one with the slopes along its scores. `given`: products of dense
/// layers are (kernels/cuda/network/network_graph.h).
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

/// How a convolution's matrix product is cut into tiles (kernels/cuda/products/tile_sums.cuh, direct_tile.cuh).
struct TileCut {
    enum class Kind : std::uint8_t { kWide, kMiddle, kShort, kNarrow, kSplit, kDirect, kDirect2, kDirect4 };

    Kind kind = Kind::kWide;
    std::uint32_t down = 0, across = 0;

    HOGWILD_HOST_DEVICE std::uint32_t tiles() const { return down * across; }
    HOGWILD_HOST_DEVICE std::uint32_t tile_rows() const {
        switch (kind) {
        case Kind::kNarrow: return 128;
        case Kind::kShort:
        case Kind::kSplit: return 32;
        case Kind::kDirect: return 256;
        case Kind::kDirect2: return 512;
        case Kind::kDirect4: return 1024;
        case Kind::kWide:
        case Kind::kMiddle: break;
        }
        return 64;
    }
    HOGWILD_HOST_DEVICE std::uint32_t tile_columns() const {
        switch (kind) {
        case Kind::kWide: return 32;
        case Kind::kMiddle:
        case Kind::kShort: return 16;
        case Kind::kNarrow:
        case Kind::kSplit:
        case Kind::kDirect:
        case Kind::kDirect2:
        case Kind::kDirect4: break;
        }
        return 8;
    }
};

HOGWILD_HOST_DEVICE inline TileCut cut_of(TileCut::Kind kind, std::uint32_t rows, std::uint32_t columns) {
    TileCut cut{kind};
    cut.down = (rows + cut.tile_rows() - 1) / cut.tile_rows();
    cut.across = (columns + cut.tile_columns() - 1) / cut.tile_columns();
    return cut;
}

/// The largest tiles that give every one of so many squads one, but no wider than the product; else the smallest.
HOGWILD_HOST_DEVICE inline TileCut cut_of(std::uint32_t rows, std::uint32_t columns, std::uint32_t squads) {
    if (columns <= 8) return cut_of(TileCut::Kind::kNarrow, rows, columns);
    const TileCut wide = cut_of(TileCut::Kind::kWide, rows, columns);
    if (columns > 16 && wide.tiles() >= squads) return wide;
    const TileCut middle = cut_of(TileCut::Kind::kMiddle, rows, columns);
    return middle.tiles() >= squads ? middle : cut_of(TileCut::Kind::kShort, rows, columns);
}

/// Of windows, of which rows share few columns: where there are enough, tiles that read them where they are.
HOGWILD_HOST_DEVICE inline TileCut cut_of_windows(std::uint32_t rows, std::uint32_t columns, std::uint32_t squads) {
    const TileCut four = cut_of(TileCut::Kind::kDirect4, rows, columns);
    if (four.tiles() >= 2 * squads) return four;
    const TileCut two = cut_of(TileCut::Kind::kDirect2, rows, columns);
    if (two.tiles() >= squads) return two;
    const TileCut one = cut_of(TileCut::Kind::kDirect, rows, columns);
    return one.tiles() >= squads ? one : cut_of(rows, columns, squads);
}

/// Of a convolution's gradient, whose terms are many, and its rows may be few.
HOGWILD_HOST_DEVICE inline TileCut cut_of_gradient(const Layer& layer) {
    const std::uint32_t rows = layer.rows(), columns = layer.out.channels;
    return rows <= 32 && columns <= 8 ? cut_of(TileCut::Kind::kSplit, rows, columns) : cut_of(rows, columns, 1);
}

/// Samples of each part of a convolution's gradient, and how many parts there are.
struct GradientParts {
    std::uint32_t samples, parts;

    HOGWILD_HOST_DEVICE GradientParts(std::uint32_t count, std::uint32_t most)
        : samples((count + most - 1) / most), parts((count + samples - 1) / samples) {}
};

} // namespace hogwild
