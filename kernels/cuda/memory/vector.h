// Whole arrays of parameters on a GPU. Readable by the host compiler.
#pragma once

#include "kernels/numbers/storage.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

/// values[j] *= factor for j < count, on the stream.
cudaError_t scale_on_device(float* values, std::uint32_t count, float factor, cudaStream_t stream);

/// to[j] = from[j] for j < count, rounded to the nearest number of 16 bits, on the stream. Precondition: `to` has such.
cudaError_t narrow_on_device(const float* from, const StoredWeights& to, std::uint32_t count, cudaStream_t stream);

/// values[j] += by[j] for j < count, by reductions: streams may write values meanwhile.
cudaError_t add_on_device(float* values, const float* by, std::uint32_t count, cudaStream_t stream);

} // namespace hogwild
