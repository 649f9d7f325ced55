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
__global__ void __launch_bounds__(kTeamThreads, 2)
    network_steps(const __grid_constant__ PassOver<ImagesView> pass, const __grid_constant__ StepPolicy policy) {
    __shared__ TileMemory memory;
    using Step = NetworkStep<Problem>;
    const PhaseShare share{BlockTeam::rank(), BlockTeam::size()};
    const TeamMemory own(pass.data, pass.teams, BlockTeam::number());
    const EpochOrder order(pass.order, pass.epoch);
    const bool leads = share.rank == 0 && threadIdx.x == 0;
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
        frame.draws = {pass.teams.seed, pass.epoch, true};
        frame.policy = policy;
        frame.shadow = pass.telemetry.shadow;
        frame.issued = pass.telemetry.issued;
        const Step step(pass.data, frame);
        if (leads) probe.read();
        if (pass.teams.copies) {
            for (std::uint32_t j = share.rank * kTeamThreads + threadIdx.x; j < pass.data.network.coordinates;
                 j += share.size * kTeamThreads)
                own.copy()[j] = relaxed_load<Scope::kSystem>(frame.weights[j]);
        }
        for (std::uint32_t i = share.rank; i < piece.count; i += share.size) {
            const std::uint32_t number = sample_number(order, pass.first + piece.first + i);
            if (threadIdx.x == 0) own.numbers()[i] = number;
            step.image(i, number);
        }
        for (std::uint32_t phase = 1; phase < phases; ++phase) {
            BlockTeam::sync();
            step.run(phase_at(pass.data.network, phase), share, memory);
        }
        BlockTeam::sync();
        if (leads) probe.wrote();
        if (share.rank == 0 && threadIdx.x < kWarp)
            consume(pass.clock, std::uint64_t{pass.epoch} * pass.clock.rows + pass.first + piece.first, piece.count);
    }
}

} // namespace hogwild::device
