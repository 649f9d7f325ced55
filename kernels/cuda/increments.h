// Increments at random cells of a buffer, for measuring what a policy keeps and how fast it is. Readable by the host compiler.
#pragma once

#include "kernels/catalog.h"
#include "kernels/cuda/memory/scope.h"

#include <array>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

struct DeviceIncrements {
    float* cells = nullptr;
    std::uint32_t mask = 0;       // cells - 1; a power of two of them
    std::uint32_t per_thread = 0; // each thread adds 1 so many times
    std::uint32_t seed = 0;
    unsigned blocks = 1; // of 256 threads

    std::uint64_t total() const { return std::uint64_t{blocks} * 256 * per_thread; }
};

using IncrementKernel = cudaError_t (*)(const DeviceIncrements& increments, cudaStream_t stream);

/// By update policy and scope; null: the policy has no device form.
std::array<std::array<IncrementKernel, 2>, std::variant_size_v<Updates>> increment_kernels();

/// In device memory, of device scope: each increment adds 1 to four neighbouring floats, as `atomic` does where rows are
/// dense.
cudaError_t increment_four_floats(const DeviceIncrements& increments, cudaStream_t stream);

/// In device memory, of device scope: each increment adds 1 to both bf16 of a cell of 32 bits. cudaErrorNotSupported where the code
/// for this device has no such reduction (before compute capability 9.0). A bf16 has 8 significant bits, so that an increment below
/// 1/512 of the weight is lost to rounding: for measuring only.
cudaError_t increment_two_bfloats(const DeviceIncrements& increments, cudaStream_t stream);

} // namespace hogwild
