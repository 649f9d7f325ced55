// Every compiled GPU kernel of one problem, by update policy, scope and probe. Readable by the host compiler.
//
// A problem's table is compiled in a translation unit of its own (kernels/cuda/device_kernels.cu.in). A null entry: the
// policy has no device form.
#pragma once

#include "kernels/catalog.h"
#include "kernels/cuda/pass.h"

#include <array>

#include <cuda_runtime_api.h>

namespace hogwild {

inline constexpr unsigned kWarpsPerBlock = 8;
inline constexpr unsigned kWarpsPerHotBlock = 24; // one of them exchanges; a multiprocessor holds one such block
inline constexpr std::size_t kScopes = 2;         // device, system
inline constexpr std::size_t kDeviceProbes = 3;   // off, sampled, exact

struct LaunchShape {
    unsigned blocks = 1;
    unsigned warps = kWarpsPerBlock; // of each block
};

struct DeviceKernels {
    /// Launches blocks of warps on the stream; they end when the pass is done. At most kWarpsPerBlock warps a block;
    /// with hot coordinates at most kWarpsPerHotBlock, one of which exchanges.
    using Steps = cudaError_t (*)(const DevicePass& pass, LaunchShape shape, cudaStream_t stream);

    // steps[update][scope][probe]
    std::array<std::array<std::array<Steps, kDeviceProbes>, kScopes>, std::variant_size_v<Updates>> steps{};
};

/// The table of problem P.
template <LinearProblem P>
const DeviceKernels& device_kernels();

} // namespace hogwild
