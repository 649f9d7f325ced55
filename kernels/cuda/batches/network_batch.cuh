// The launches of a synchronous step on a network (kernels/cuda/batches/network_batches.h).
#pragma once

#include "kernels/cuda/batches/network_batches.h"
#include "kernels/cuda/dependent_launch.cuh"
#include "kernels/cuda/network/network_step.cuh"
#include "kernels/cuda/network/phase_blocks.cuh"

namespace hogwild::device {

template <class Problem, PhaseKind kKind>
__global__ void __launch_bounds__(kSquadThreads, 2)
    network_phase(const __grid_constant__ NetworkBatches run, std::uint32_t number, std::uint32_t layer) {
    extern __shared__ float4 tile_memory[];
    using Step = NetworkStep<Problem>;
    wait_for_launch_before();
    let_launch_after_begin();
    const TeamMemory own(run.data, run.teams, 0);
    const std::uint32_t batch = *run.base + number;
    const auto first = static_cast<std::uint32_t>(std::uint64_t{batch} * run.size);
    const auto count = static_cast<std::uint32_t>(min(std::uint64_t{run.size}, run.data.rows - first));
    const Squad squad{blockIdx.x, gridDim.x};
    TileMemory& memory = *reinterpret_cast<TileMemory*>(tile_memory);
    typename Step::Frame frame{run.numbers + first, count, kLaunchedSquads, run.teams.parts, own.tape(), own.parts()};
    frame.read = frame.weights = run.weights;
    frame.factor = run.paces[batch].factor;
    frame.fused = run.teams.fused;
    frame.tiles = &run.teams.tiles;
    if constexpr (kKind == PhaseKind::kGradient || kKind == PhaseKind::kParts) {
        __shared__ RuleMemory rule;
        frame.rule = rule.of(run.teams.optimizer);
        if (frame.rule != nullptr && threadIdx.x == 0) {
            const std::uint64_t per_epoch = (run.data.rows + run.size - 1) / run.size;
            rule.make(run.teams.optimizer, 0, *run.epoch * per_epoch + batch + 1, count);
        }
        __syncthreads();
    }
    frame.draws = {run.teams.seed, *run.epoch, true};
    const Step step(run.data, frame);
    if constexpr (kKind == PhaseKind::kImages) {
        step.images(
            squad, memory, [&](std::uint32_t i) { return frame.numbers[i]; }, nullptr);
    } else {
        step.template run<kKind>(layer, squad, memory);
    }
}

template <class Problem>
cudaError_t launch_network_batch(const NetworkBatches& run, std::uint32_t number, cudaStream_t stream) {
    for (std::uint32_t p = 0; p < phases(run.data.network()); ++p) {
        const NetworkPhase phase = phase_at(run.data.network(), p);
        if (is_empty(run.data.network(), run.teams.fused, phase)) continue;
        const GridShape grid{blocks_of(run.data.network(), run.teams, phase), kSquadThreads, sizeof(TileMemory)};
        const cudaError_t launched = with_kind(phase.kind, [&]<PhaseKind kKind>() {
            return launch_with_memory(network_phase<Problem, kKind>, grid, run.overlaps, stream, run, number,
                                      phase.layer);
        });
        if (launched != cudaSuccess) return launched;
    }
    return cudaSuccess;
}

} // namespace hogwild::device
