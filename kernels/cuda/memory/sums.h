// Sums over arrays in device memory, by CUB: the same bits at every call on one device. Readable by the host compiler.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

/// Scratch memory that a sum of `count` values takes.
std::size_t sum_scratch_bytes(std::uint64_t count);

/// *sum = values[0] + ... + values[count - 1], on the stream; `scratch` holds sum_scratch_bytes(count).
cudaError_t sum_on_device(void* scratch, const double* values, std::uint64_t count, double* sum, cudaStream_t stream);
cudaError_t sum_on_device(void* scratch, const std::uint32_t* values, std::uint64_t count, std::uint64_t* sum,
                          cudaStream_t stream);

} // namespace hogwild
