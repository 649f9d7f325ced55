// Steps on a network without a lock. Every team of blocks is a worker, which claims a batch, steps on it, and claims
// the next. It steps on the weights that all share, as Hogwild! does, or on a replica of its own
// (kernels/cuda/network/team_replica.cuh). A launch ends when its positions are claimed.
#pragma once

#include "kernels/cuda/memory/copy_weights.cuh"
#include "kernels/cuda/network/layer_probe.cuh"
#include "kernels/cuda/network/network_step.cuh"
#include "kernels/cuda/network/team_probe.cuh"
#include "kernels/cuda/network/team_replica.cuh"

namespace hogwild::device {

/// Two kernels, since what replicas take would have no registers left beside all else.
template <class Problem, bool kReplicas>
__global__ void __launch_bounds__(kMostSquads* kSquadThreads)
    network_steps(const __grid_constant__ PassOver<DeviceImages> pass, const __grid_constant__ StepPolicy policy) {
    extern __shared__ float4 tile_memory[];
    __shared__ RuleMemory rule;
    __shared__ TeamReplica replica;
    using Step = NetworkStep<Problem>;
    const unsigned squads = blockDim.x / kSquadThreads; // of each block
    // One of each block first: where a phase has few pieces, squads that work on them share no multiprocessor.
    const Squad squad{threadIdx.x / kSquadThreads * BlockTeam::size() + BlockTeam::rank(), BlockTeam::size() * squads};
    TileMemory& memory = reinterpret_cast<TileMemory*>(tile_memory)[squad.index];
    const TeamMemory own(pass.data, pass.teams, BlockTeam::number());
    const EpochOrder order(pass.order, pass.epoch);
    const bool in_front = squad.rank == 0 && squad.thread < kWarp, leads = in_front && squad.thread == 0;
    const DeviceOptimizer& optimizer = pass.teams.optimizer;
    const std::uint32_t state = optimizer.state == 0 ? 0 : BlockTeam::number();
    const auto piece_of = [&](const TeamMemory::Turn& turn) { return pass.pieces[turn.claimed - pass.claimed_before]; };
    const auto claim = [&] {
        if (!leads) return;
        TeamMemory::Turn& turn = own.turn();
        turn = {atomicAdd(pass.claimed, 1u), consumed(pass.clock)};
        if (!is_plain_sgd(optimizer.kind) && piece_of(turn).count > 0)
            turn.number = atomicAdd(optimizer.steps + state, 1ULL) + 1;
    };
    TeamProbe probe(pass.telemetry, policy.measures(), pass.teams);
    const LayerProbe layers(pass.telemetry, pass.data.network(), own.layers_at_read());
    const std::uint32_t phases = hogwild::phases(pass.data.network());
    const std::uint32_t thread = squad.rank * kSquadThreads + squad.thread, threads = squad.size * kSquadThreads;
    if constexpr (kReplicas) {
        if (threadIdx.x == 0)
            replica.make(pass.teams.replicas, own, static_cast<float*>(pass.weights), pass.data.network().coordinates);
        __syncthreads();
        replica.begin(thread, threads);
    }
    std::uint32_t samples = 0; // of this launch
    for (claim();; claim()) {
        if (in_front && pass.teams.copies) layers.read(0);
        BlockTeam::sync();
        const TeamMemory::Turn turn = own.turn();
        const Pieces::Piece piece = piece_of(turn);
        if (piece.count == 0) break;
        if (!is_plain_sgd(optimizer.kind) && threadIdx.x == 0) rule.make(optimizer, state, turn.number, piece.count);
        typename Step::Frame frame{own.numbers(), piece.count, squad.size, pass.teams.parts, own.tape(), own.parts()};
        frame.weights = kReplicas ? replica.weights() : static_cast<float*>(pass.weights);
        frame.read = pass.teams.copies ? own.copy() : frame.weights;
        frame.rule = rule.of(optimizer);
        const std::uint32_t step_of = pass.teams.step_of;
        const double share = step_of == 0 ? 1 : static_cast<double>(piece.count) / step_of;
        const double size = pace_at(pass.clock, turn.now).step;
        frame.factor = static_cast<float>(-size * share / (frame.rule == nullptr ? piece.count : 1));
        if (kReplicas && threadIdx.x == 0) replica.steps(piece.count, size);
        frame.fused = pass.teams.fused;
        frame.tiles = &pass.teams.tiles;
        frame.draws = {pass.teams.seed, pass.epoch, true};
        frame.policy = policy;
        frame.layers = pass.teams.layers;
        frame.shadow = pass.telemetry.shadow;
        frame.issued = pass.telemetry.issued;
        const Step step(pass.data, frame);
        if (leads) probe.read();
        if (pass.teams.copies)
            copy_weights(own.copy(), frame.weights, pass.data.network().coordinates, thread, threads);
        const std::uint32_t first = pass.first + piece.first;
        step.images(
            squad, memory, [&](std::uint32_t i) { return sample_number(order, first + i); }, own.numbers());
        for (std::uint32_t number = 1; number < phases; ++number) {
            const NetworkPhase phase = phase_at(pass.data.network(), number);
            if (is_empty(pass.data.network(), frame.fused, phase)) continue;
            if (phase.kind == PhaseKind::kGradient && leads) own.turn().share = probe.admit();
            if (phase.kind == PhaseKind::kForward && in_front && !pass.teams.copies) layers.read(phase.layer);
            BlockTeam::sync();
            if (phase.kind == PhaseKind::kParts && in_front) layers.wrote(LayerKind::kDense);
            if (phase.kind == PhaseKind::kGradient) {
                frame.factor *= own.turn().share;
                if (frame.factor == 0) break;
            }
            step.run(phase, squad, memory);
        }
        BlockTeam::sync();
        if (in_front && frame.factor != 0)
            layers.wrote(convolves(pass.data.network()) ? LayerKind::kConvolution : LayerKind::kDense);
        if (leads && frame.factor != 0) probe.wrote();
        if (in_front) consume(pass.clock, std::uint64_t{pass.epoch} * pass.clock.rows + first, piece.count);
        samples += piece.count;
        if constexpr (kReplicas) replica.exchange_due(thread, threads);
    }
    if constexpr (kReplicas) replica.exchange_rest(thread, threads);
    if (leads) pass.teams.consumed[BlockTeam::number()] += samples; // launches of a stream follow each other
}

} // namespace hogwild::device
