#include "kernels/cuda/memory/magnitude.h"

#include <cuda/functional>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

namespace hogwild {
namespace {

struct Magnitude {
    const float* values;
    std::uint64_t stride;

    __device__ float operator()(std::uint64_t i) const { return fabsf(values[i * stride]); }
};

} // namespace

float largest_magnitude(const float* values, std::uint64_t count, cudaStream_t stream, std::uint32_t stride) {
    const thrust::counting_iterator<std::uint64_t> first(0);
    return thrust::transform_reduce(thrust::cuda::par.on(stream), first, first + count, Magnitude{values, stride}, 0.0f,
                                    cuda::maximum<float>{});
}

} // namespace hogwild
