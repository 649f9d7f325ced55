// Launches of steps on networks.
#pragma once

#include "kernels/cuda/batches/network_batch.cuh"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/launches/launcher.cuh"
#include "kernels/cuda/network/network_graph.cuh"
#include "kernels/cuda/network/network_steps.cuh"
#include "kernels/problem.h"

namespace hogwild::device {

template <>
struct Launcher<ImageBatches> {
    template <class Problem, Scope S, class Update, class Probe>
    static cudaError_t steps(const DevicePass& given, LaunchShape shape, cudaStream_t stream) {
        const PassOver<DeviceImages> pass(given);
        const auto kernel = pass.teams.replicas.any() ? network_steps<Problem, true> : network_steps<Problem, false>;
        return launch_teams(kernel, shape.blocks, sizeof(TileMemory), stream, pass, StepPolicy::of<Update, S, Probe>());
    }

    static TeamLayout teams(LaunchShape shape) {
        const unsigned size = team_size(shape.blocks);
        return {shape.blocks / size, size * squads_of_block(sizeof(TileMemory))};
    }

    template <class Problem, Scope S, class Update, class Probe>
    static cudaError_t network_graph_phase(const NetworkGraphStep& step, const NetworkPhase& phase, bool overlaps,
                                           cudaStream_t stream) {
        return launch_network_graph_phase<Problem>(step, phase, overlaps, StepPolicy::of<Update, S, Probe>(), stream);
    }

    template <class Problem>
    static cudaError_t network_batch(const NetworkBatches& run, std::uint32_t number, cudaStream_t stream) {
        return launch_network_batch<Problem>(run, number, stream);
    }
};

} // namespace hogwild::device
