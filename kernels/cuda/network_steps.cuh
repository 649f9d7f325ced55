// Hogwild! steps on a network: every team of blocks is a worker, which claims a batch, steps on it, and claims the next. A launch ends when
// its positions are claimed.
#pragma once

#include "kernels/cuda/network_step.cuh"
#include "kernels/cuda/step_through.cuh"

namespace hogwild::device {

/// What a team measures of its steps; by one thread of it.
class TeamProbe {
public:
    __device__ TeamProbe(const DeviceTelemetry& telemetry, bool measures)
        : telemetry_(telemetry), measures_(measures) {}

    __device__ void read() {
        if (measures_) at_read_ = relaxed_count(telemetry_.clock);
    }

    __device__ void wrote() const {
        if (!measures_) return;
        const unsigned long long stale = atomicAdd(telemetry_.clock, 1ULL) - at_read_;
        atomicAdd(telemetry_.buckets + Histogram::bucket(stale), 1ULL);
        atomicAdd(telemetry_.sum, stale);
        atomicMax(telemetry_.most, stale);
    }

private:
    const DeviceTelemetry& telemetry_;
    bool measures_;
    unsigned long long at_read_ = 0;
};

template <class Problem>
__global__ void __launch_bounds__(kMostSquads* kSquadThreads)
    network_steps(const __grid_constant__ PassOver<ImagesView> pass, const __grid_constant__ StepPolicy policy) {
    extern __shared__ float4 tile_memory[];
    using Step = NetworkStep<Problem>;
    const unsigned squads = blockDim.x / kSquadThreads; // of each block
    const Squad squad{BlockTeam::rank() * squads + threadIdx.x / kSquadThreads, BlockTeam::size() * squads};
    TileMemory& memory = reinterpret_cast<TileMemory*>(tile_memory)[squad.index];
    const TeamMemory own(pass.data, pass.teams, BlockTeam::number());
    const EpochOrder order(pass.order, pass.epoch);
    const bool leads = squad.rank == 0 && squad.thread == 0;
    const auto claim = [&] {
        if (leads) own.turn() = {atomicAdd(pass.claimed, 1u), consumed(pass.clock)};
    };
    TeamProbe probe(pass.telemetry, policy.measures());
    const std::uint32_t phases = hogwild::phases(pass.data.network);
    for (claim();; claim()) {
        BlockTeam::sync();
        const TeamMemory::Turn turn = own.turn();
        const Pieces::Piece piece = pass.pieces[turn.claimed - pass.claimed_before];
        if (piece.count == 0) return;
        typename Step::Frame frame{own.numbers(), piece.count, pass.teams.parts, own.tape(), own.parts()};
        frame.weights = static_cast<float*>(pass.weights);
        frame.read = pass.teams.copies ? own.copy() : frame.weights;
        frame.factor = static_cast<float>(-pace_at(pass.clock, turn.now).step / piece.count);
        frame.fused = pass.teams.fused;
        frame.draws = {pass.teams.seed, pass.epoch, true};
        frame.policy = policy;
        frame.shadow = pass.telemetry.shadow;
        frame.issued = pass.telemetry.issued;
        const Step step(pass.data, frame);
        if (leads) probe.read();
        if (pass.teams.copies) {
            for (std::uint32_t j = squad.rank * kSquadThreads + squad.thread; j < pass.data.network.coordinates;
                 j += squad.size * kSquadThreads)
                own.copy()[j] = relaxed_load<Scope::kSystem>(frame.weights[j]);
        }
        const std::uint32_t first = pass.first + piece.first;
        step.images(
            squad, memory, [&](std::uint32_t i) { return sample_number(order, first + i); }, own.numbers());
        for (std::uint32_t number = 1; number < phases; ++number) {
            const NetworkPhase phase = phase_at(pass.data.network, number);
            if (is_empty(frame.fused, phase)) continue;
            BlockTeam::sync();
            step.run(phase, squad, memory);
        }
        BlockTeam::sync();
        if (leads) probe.wrote();
        if (squad.rank == 0 && squad.thread < kWarp)
            consume(pass.clock, std::uint64_t{pass.epoch} * pass.clock.rows + first, piece.count);
    }
}

} // namespace hogwild::device
