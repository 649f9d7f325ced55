// The largest magnitude of an array in device memory, by Thrust. Readable by the host compiler.
#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

/// max |values[i x stride]| for i < count, 0 of none. Errors: throws what Thrust throws, std::runtime_error or std::bad_alloc.
float largest_magnitude(const float* values, std::uint64_t count, cudaStream_t stream, std::uint32_t stride = 1);

} // namespace hogwild
