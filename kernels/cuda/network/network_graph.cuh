// The launches of a worker's step on a network (kernels/cuda/network/network_graph.h).
#pragma once

#include "kernels/cuda/dependent_launch.cuh"
#include "kernels/cuda/launches_can_overlap.h"
#include "kernels/cuda/memory/copy_weights.cuh"
#include "kernels/cuda/network/layer_probe.cuh"
#include "kernels/cuda/network/network_graph.h"
#include "kernels/cuda/network/network_step.cuh"
#include "kernels/cuda/network/phase_blocks.cuh"
#include "kernels/cuda/network/team_probe.cuh"

namespace hogwild::device {

__device__ inline LayerProbe layer_probe(const NetworkGraphStep& run) {
    return {run.telemetry, run.data.network(), TeamMemory(run.data, run.teams, 0).layers_at_read()};
}

/// By one thread, before weights are read.
__device__ inline void begin_step(const NetworkGraphStep& run, const StepPolicy& policy, NetworkTurn::Batch batch) {
    NetworkTurn& turn = *run.turn;
    turn.batch = batch;
    if (batch.count == 0) return;
    TeamProbe probe(run.telemetry, policy.measures(), run.teams);
    probe.read();
    turn.at_read = probe.at_read();
    RunClock clock = run.clock;
    clock.others = turn.stretch.others;
    clock.last = turn.stretch.last;
    const DeviceOptimizer& optimizer = run.teams.optimizer;
    const bool plain = is_plain_sgd(optimizer.kind);
    if (!plain) turn.number = atomicAdd(optimizer.steps, 1ULL) + 1;
    turn.factor = static_cast<float>(-pace_at(clock, consumed(clock)).step / (plain ? batch.count : 1));
}

/// By a warp, once all increments are made.
__device__ inline void end_step(const NetworkGraphStep& run, const StepPolicy& policy) {
    NetworkTurn& turn = *run.turn;
    const NetworkTurn::Batch batch = turn.batch;
    if (batch.count == 0) return;
    const LayerProbe layers = layer_probe(run);
    layers.wrote(LayerKind::kDense);
    layers.wrote(LayerKind::kConvolution);
    if (lane() == 0) {
        TeamProbe(run.telemetry, policy.measures(), run.teams, turn.at_read).wrote();
        ++turn.next;
    }
    consume(run.clock, std::uint64_t{turn.stretch.epoch} * run.clock.rows + batch.first, batch.count);
}

/// Any but the end.
template <class Problem, PhaseKind kKind>
__device__ void take_graph_phase(const NetworkGraphStep& run, std::uint32_t layer, const StepPolicy& policy) {
    extern __shared__ float4 tile_memory[];
    using Step = NetworkStep<Problem, true>;
    const NetworkTurn& turn = *run.turn;
    const TeamMemory own(run.data, run.teams, 0);
    const Squad squad{blockIdx.x, gridDim.x};
    TileMemory& memory = *reinterpret_cast<TileMemory*>(tile_memory);
    constexpr bool kBegins = kKind == PhaseKind::kImages, kAdds = kKind == PhaseKind::kParts;
    const NetworkTurn::Batch batch = kBegins ? turn.claimed(run.teams.most) : turn.batch;
    const bool in_front =
        blockIdx.x + 1 == gridDim.x && threadIdx.x < kWarp; // of a block without an image, if there is one
    if (kBegins && in_front && threadIdx.x == 0) begin_step(run, policy, batch);
    if (kBegins && in_front && batch.count > 0) layer_probe(run).read(0);
    if (!kBegins && batch.count == 0) return;

    typename Step::Frame frame{own.numbers(), batch.count, kLaunchedSquads, run.teams.parts, own.tape(), own.parts()};
    frame.read = own.copy();
    frame.weights = static_cast<float*>(run.weights);
    frame.fused = run.teams.fused;
    frame.tiles = &run.teams.tiles;
    frame.draws = {run.teams.seed, turn.stretch.epoch, true};
    frame.policy = policy;
    frame.layers = run.teams.layers;
    frame.shadow = run.telemetry.shadow;
    frame.issued = run.telemetry.issued;
    frame.gradient = own.gradient();
    if constexpr (kAdds) {
        __shared__ RuleMemory rule;
        frame.factor = turn.factor;
        frame.rule = rule.of(run.teams.optimizer);
        if (frame.rule != nullptr && threadIdx.x == 0) rule.make(run.teams.optimizer, 0, turn.number, batch.count);
        __syncthreads();
    }
    const Step step(run.data, frame);
    if constexpr (kBegins) {
        const unsigned thread = blockIdx.x * kSquadThreads + threadIdx.x, threads = gridDim.x * kSquadThreads;
        copy_weights(own.copy(), frame.weights, run.data.network().coordinates, thread, threads);
        const std::uint64_t floats = NetworkTape::size(run.data); // of a sample
        for (std::uint64_t k = batch.count * floats + thread; k < run.teams.most * floats; k += threads)
            own.tape()[k] = 0.0f;
        const EpochOrder order(run.order, turn.stretch.epoch);
        step.images(
            squad, memory, [&](std::uint32_t i) { return sample_number(order, batch.first + i); }, own.numbers());
    } else {
        step.template run<kKind>(layer, squad, memory);
    }
}

template <class Problem, PhaseKind kKind>
__global__ void __launch_bounds__(kSquadThreads, 2)
    network_graph_phase(const __grid_constant__ NetworkGraphStep run, std::uint32_t layer, StepPolicy policy) {
    wait_for_launch_before();
    let_launch_after_begin();
    if constexpr (kKind == PhaseKind::kEnd) {
        if (threadIdx.x < kWarp) end_step(run, policy);
    } else {
        take_graph_phase<Problem, kKind>(run, layer, policy);
    }
}

template <class Problem>
cudaError_t launch_network_graph_phase(const NetworkGraphStep& run, const NetworkPhase& phase, bool overlaps,
                                       const StepPolicy& policy, cudaStream_t stream) {
    const GridShape grid{blocks_of(run.data.network(), run.teams, phase), kSquadThreads, sizeof(TileMemory)};
    return with_kind(phase.kind, [&]<PhaseKind kKind>() {
        return launch_with_memory(network_graph_phase<Problem, kKind>, grid, overlaps && launches_can_overlap(), stream,
                                  run, phase.layer, policy);
    });
}

} // namespace hogwild::device
