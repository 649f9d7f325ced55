#include "kernels/cuda/launches_can_overlap.h"

#include <cuda_runtime_api.h>

namespace hogwild {
namespace {

/// Never launched: it is asked what it was compiled for.
__global__ void compiled() {}

} // namespace

bool launches_can_overlap() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, compiled) == cudaSuccess && attributes.ptxVersion >= 90;
}

} // namespace hogwild
