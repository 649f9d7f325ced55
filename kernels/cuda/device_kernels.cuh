// Fills the table of a problem's GPU kernels.
#pragma once

#include "kernels/cuda/batches/batch_steps.cuh"
#include "kernels/cuda/batches/dense_batches.cuh"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/launches/edge_ends.cuh"
#include "kernels/cuda/launches/factor_pairs.cuh"
#include "kernels/cuda/launches/image_batches.cuh"
#include "kernels/cuda/launches/sparse_rows.cuh"
#include "kernels/cuda/launches/token_windows.cuh"
#include "kernels/cuda/probes/none.cuh"
#include "kernels/cuda/probes/staleness.cuh"
#include "kernels/cuda/sample_losses.cuh"
#include "kernels/cuda/updates/catalog.cuh"
#include "kernels/numbers/half.h"

#include <cstddef>
#include <utility>

namespace hogwild::device {

template <class Problem>
cudaError_t launch_sample_losses(const SparseView& data, const float* weights, double* losses, std::uint32_t* wrong,
                                 cudaStream_t stream) {
    constexpr unsigned kThreads = 256, kMostBlocks = 132 * 8;
    const std::uint64_t wanted = (data.rows * kWarp + kThreads - 1) / kThreads;
    if (wanted == 0) return cudaSuccess;
    const auto blocks = static_cast<unsigned>(wanted < kMostBlocks ? wanted : kMostBlocks);
    sample_losses<Problem><<<blocks, kThreads, 0, stream>>>(data, weights, losses, wrong);
    return cudaGetLastError();
}

template <class Problem>
concept StepsOnNetworks = requires {
    Launcher<typename Problem::Pattern>::template network_batch<Problem>;
};

template <class Problem, Scope S, class Update>
constexpr void fill(DeviceKernels& kernels) {
    constexpr std::size_t kUpdate = catalog::find<Updates>(Update::name);
    static_assert(kUpdate < std::variant_size_v<Updates>, "a device update policy has the name of a host one");
    using Launch = Launcher<typename Problem::Pattern>;
    kernels.steps[kUpdate][static_cast<std::size_t>(S)] = {
        Launch::template steps<Problem, S, Update, NoProbe>,
        Launch::template steps<Problem, S, Update, StalenessProbe<false>>,
        Launch::template steps<Problem, S, Update, StalenessProbe<true>>};
    if constexpr (StepsOnNetworks<Problem>) {
        kernels.network_graph_phases[kUpdate][static_cast<std::size_t>(S)] = {
            Launch::template network_graph_phase<Problem, S, Update, NoProbe>,
            Launch::template network_graph_phase<Problem, S, Update, StalenessProbe<false>>,
            Launch::template network_graph_phase<Problem, S, Update, StalenessProbe<true>>};
    }
}

template <class Problem, class Number, class Policy>
constexpr void fill_halves(DeviceKernels& kernels, Storage storage) {
    using Launch = Launcher<typename Problem::Pattern>;
    kernels.half_steps[half_index(storage)][catalog::find<Updates>(Policy::name)] = {
        Launch::template half_steps<Problem, Number, Policy, NoProbe>,
        Launch::template half_steps<Problem, Number, Policy, StalenessProbe<false>>,
        Launch::template half_steps<Problem, Number, Policy, StalenessProbe<true>>};
}

template <class Problem, std::size_t... I>
constexpr void fill(DeviceKernels& kernels, std::index_sequence<I...>) {
    (fill<Problem, Scope::kDevice, DeviceUpdate<Scope::kDevice, I>>(kernels), ...);
    (fill<Problem, Scope::kSystem, DeviceUpdate<Scope::kSystem, I>>(kernels), ...);
}

template <class Problem, class Number, std::size_t... I>
constexpr void fill_halves(DeviceKernels& kernels, Storage storage, std::index_sequence<I...>) {
    (fill_halves<Problem, Number, DeviceUpdate<Scope::kDevice, I>>(kernels, storage), ...);
}

template <class Problem>
concept StepsOnHalves = requires {
    Launcher<typename Problem::Pattern>::template half_steps<Problem, Bf16, DeviceUpdate<Scope::kDevice, 0>, NoProbe>;
};

template <class Problem>
concept StepsOnGroups = requires {
    Launcher<typename Problem::Pattern>::template group_batch<Problem>;
};

template <class Problem>
constexpr DeviceKernels make_kernels() {
    DeviceKernels kernels;
    if constexpr (requires { Launcher<typename Problem::Pattern>::abreast; })
        kernels.abreast = Launcher<typename Problem::Pattern>::abreast;
    if constexpr (requires { Launcher<typename Problem::Pattern>::teams; })
        kernels.teams = Launcher<typename Problem::Pattern>::teams;
    constexpr auto kAll = std::make_index_sequence<kDeviceUpdates>();
    if constexpr (requires { sizeof(Launcher<typename Problem::Pattern>); }) fill<Problem>(kernels, kAll);
    if constexpr (StepsOnHalves<Problem>) {
        fill_halves<Problem, Bf16>(kernels, Storage::kBf16, kAll);
        fill_halves<Problem, Fp16>(kernels, Storage::kFp16, kAll);
    }
    if constexpr (LinearProblem<Problem>) {
        kernels.sample_losses = launch_sample_losses<Problem>;
        kernels.batch_step = launch_batch_step<Problem>;
        kernels.batch_slopes = launch_batch_slopes<Problem>;
    }
    if constexpr (StepsOnGroups<Problem>)
        kernels.group_batch_step = Launcher<typename Problem::Pattern>::template group_batch<Problem>;
    if constexpr (StepsOnNetworks<Problem>)
        kernels.network_batch_step = Launcher<typename Problem::Pattern>::template network_batch<Problem>;
    return kernels;
}

} // namespace hogwild::device
