// Phases of a step that are launches of their own. As many blocks take one as it has pieces, up to two for each
// multiprocessor. Each kind has a kernel, with no more code, registers and stack than that kind needs.
#pragma once

#include "kernels/cuda/network/block_team.cuh"
#include "kernels/cuda/network/network_phases.h"
#include "kernels/cuda/network/norm_units.h"
#include "kernels/cuda/network/team_memory.h"
#include "kernels/cuda/products/dense_cut.h"

#include <algorithm>
#include <cstdint>

#include <cuda_runtime.h>

namespace hogwild::device {

/// Squads of a device that share a phase of `teams.most` samples, each a block.
inline unsigned blocks_of(const NetworkShape& network, const Teams& teams, const NetworkPhase& phase) {
    constexpr unsigned kMost = kLaunchedSquads;
    const Layer& layer = network.layers[phase.layer];
    const auto by_entries = [](std::uint64_t entries) { return (entries + kSquadThreads - 1) / kSquadThreads; };
    const auto pair = [&](std::uint32_t l) { return ConvPool(network.layers[l], network.layers[l + 1]); };
    const auto fused = [&](std::uint32_t l) { return hogwild::fused(teams.fused, l, network); };
    const bool dense = layer.kind == LayerKind::kDense, by_tiles = layer.weighted() && !(dense && teams.given);
    std::uint64_t pieces = 0;
    switch (phase.kind) {
    case PhaseKind::kImages:
        pieces = teams.copies ? std::max<std::uint64_t>(teams.most, by_entries(network.coordinates)) : teams.most;
        break;
    case PhaseKind::kForward:
        pieces = fused(phase.layer)   ? cut_forward(pair(phase.layer), teams.most, kMost, kSquadFloats).units()
                 : layer.normalises() ? NormUnits(layer, teams.most).count()
                 : !by_tiles          ? by_entries(std::uint64_t{teams.most} * layer.out.size())
                 : dense              ? teams.tiles.cut(layer, phase.layer, DenseProduct::kOutputs, teams.most).tiles()
                         : cut_of_windows(teams.most * layer.out.places(), layer.out.channels, kMost).tiles();
        break;
    case PhaseKind::kScores: pieces = teams.most; break;
    case PhaseKind::kBack:
        pieces = fused(phase.layer)   ? cut_back(pair(phase.layer), teams.most, kMost, kSquadFloats).units()
                 : layer.normalises() ? NormUnits(layer, teams.most).count()
                 : !by_tiles          ? by_entries(std::uint64_t{teams.most} * layer.in.size())
                 : dense              ? teams.tiles.cut(layer, phase.layer, DenseProduct::kSlopes, teams.most).tiles()
                         : cut_of_windows(teams.most * layer.in.places(), layer.in.channels, kMost).tiles();
        break;
    case PhaseKind::kGradient:
        for (std::uint32_t l = 0; l < network.count; ++l) {
            const Layer& each = network.layers[l];
            const bool slides = each.kind == LayerKind::kConvolution;
            if (each.normalises() && !teams.given) pieces += NormUnits(each, teams.most).blocks;
            if (!each.weighted() || (teams.given && !slides)) continue;
            if (!slides) {
                pieces += teams.tiles.cut(each, l, DenseProduct::kGradient, teams.most).tiles();
                continue;
            }
            const std::uint64_t parts = GradientParts(teams.most, teams.parts).parts;
            pieces += parts * (fused(l) ? GradientBlocks(pair(l)).count() : cut_of_gradient(each).tiles());
        }
        break;
    case PhaseKind::kParts:
        pieces = by_entries(teams.given ? network.coordinates : TeamMemory::part_floats(network));
        break;
    case PhaseKind::kEnd: pieces = 1; break;
    }
    return static_cast<unsigned>(pieces < kMost ? pieces : kMost);
}

/// launch<kind>().
template <class Launch>
cudaError_t with_kind(PhaseKind kind, const Launch& launch) {
    switch (kind) {
    case PhaseKind::kImages: return launch.template operator()<PhaseKind::kImages>();
    case PhaseKind::kForward: return launch.template operator()<PhaseKind::kForward>();
    case PhaseKind::kScores: return launch.template operator()<PhaseKind::kScores>();
    case PhaseKind::kBack: return launch.template operator()<PhaseKind::kBack>();
    case PhaseKind::kGradient: return launch.template operator()<PhaseKind::kGradient>();
    case PhaseKind::kParts: return launch.template operator()<PhaseKind::kParts>();
    case PhaseKind::kEnd: return launch.template operator()<PhaseKind::kEnd>();
    }
    return cudaErrorInvalidValue;
}

} // namespace hogwild::device
