// Every compiled GPU kernel of one problem, by update policy, scope and probe. Readable by the host compiler.
//
// A problem's table is compiled in a translation unit of its own (kernels/cuda/device_kernels.cu.in). A null entry: the
// policy has no device form; all null: the problem's access pattern has none, or none for that storage.
#pragma once

#include "kernels/catalog.h"
#include "kernels/cuda/batches/batches.h"
#include "kernels/cuda/batches/group_batches.h"
#include "kernels/cuda/batches/network_batches.h"
#include "kernels/cuda/network/network_graph.h"
#include "kernels/cuda/pass.h"
#include "kernels/numbers/storage.h"

#include <array>

#include <cuda_runtime_api.h>

namespace hogwild {

inline constexpr unsigned kWarpsPerBlock = 8;   // most that step on rows
inline constexpr std::size_t kScopes = 2;       // device, system
inline constexpr std::size_t kDeviceProbes = 3; // off, sampled, exact

/// Where DeviceKernels::half_steps has a storage of 16 bits.
constexpr std::size_t half_index(Storage storage) {
    return static_cast<std::size_t>(storage) - static_cast<std::size_t>(Storage::kBf16);
}

struct LaunchShape {
    unsigned blocks = 1;
    unsigned warps = kWarpsPerBlock; // of each block, that step
};

/// Teams of a launch, and squads of threads of each, which share out its steps.
struct TeamLayout {
    unsigned teams, squads;
};

struct DeviceKernels {
    /// Launches blocks of warps on the stream; they end when the pass is done. With hot coordinates each block has one warp
    /// more, which exchanges.
    using Steps = cudaError_t (*)(const DevicePass& pass, LaunchShape shape, cudaStream_t stream);

    /// kernels/cuda/sample_losses.cuh; all pointers to device memory.
    using SampleLosses = cudaError_t (*)(const SparseView& data, const float* weights, double* losses,
                                         std::uint32_t* wrong, cudaStream_t stream);

    /// Samples that a warp steps on at a time, where no probe watches.
    using Abreast = unsigned (*)(const AnyView& data);

    // steps[update][scope][probe]
    std::array<std::array<std::array<Steps, kDeviceProbes>, kScopes>, std::variant_size_v<Updates>> steps{};
    // half_steps[half_index][update][probe]: of device scope
    std::array<std::array<std::array<Steps, kDeviceProbes>, std::variant_size_v<Updates>>, kHalfStorages> half_steps{};
    Abreast abreast = [](const AnyView&) { return 1u; };
    // Not null: a step is a team's, not a warp's.
    TeamLayout (*teams)(LaunchShape shape) = nullptr;
    // A worker's step on a network, launch by launch; by update policy, scope and probe too.
    std::array<std::array<std::array<NetworkGraphPhase, kDeviceProbes>, kScopes>, std::variant_size_v<Updates>>
        network_graph_phases{};
    SampleLosses sample_losses = nullptr;
    // A synchronous step's launches: of sparse rows the first two, of networks the last, of other samples the third.
    BatchStep batch_step = nullptr;
    BatchStep batch_slopes = nullptr; // kernels/cuda/batches/dense_batches.h
    GroupBatchStep group_batch_step = nullptr;
    NetworkBatchStep network_batch_step = nullptr;
};

/// The table of problem P.
template <class P>
const DeviceKernels& device_kernels();

} // namespace hogwild
