#include "kernels/cuda/magnitude.h"

#include <cuda/functional>
#include <thrust/execution_policy.h>
#include <thrust/transform_reduce.h>

namespace hogwild {
namespace {

struct Magnitude {
    __host__ __device__ float operator()(float value) const { return fabsf(value); }
};

} // namespace

float largest_magnitude(const float* values, std::uint64_t count, cudaStream_t stream) {
    return thrust::transform_reduce(thrust::cuda::par.on(stream), values, values + count, Magnitude{}, 0.0f,
                                    cuda::maximum<float>{});
}

} // namespace hogwild
