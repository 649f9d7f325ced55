#include "kernels/cuda/memory/sums.h"

#include <algorithm>

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

namespace hogwild {
namespace {

template <class Value, class Sum>
cudaError_t reduce(void* scratch, std::size_t& bytes, const Value* values, std::uint64_t count, Sum* sum,
                   cudaStream_t stream) {
    return cub::DeviceReduce::Reduce(scratch, bytes, values, sum, count, cuda::std::plus<>{}, Sum{}, stream);
}

} // namespace

std::size_t sum_scratch_bytes(std::uint64_t count) {
    std::size_t doubles = 0, counts = 0;
    reduce(nullptr, doubles, static_cast<const double*>(nullptr), count, static_cast<double*>(nullptr), nullptr);
    reduce(nullptr, counts, static_cast<const std::uint32_t*>(nullptr), count, static_cast<std::uint64_t*>(nullptr),
           nullptr);
    return std::max<std::size_t>({doubles, counts, 1});
}

cudaError_t sum_on_device(void* scratch, const double* values, std::uint64_t count, double* sum, cudaStream_t stream) {
    std::size_t bytes = sum_scratch_bytes(count);
    return reduce(scratch, bytes, values, count, sum, stream);
}

cudaError_t sum_on_device(void* scratch, const std::uint32_t* values, std::uint64_t count, std::uint64_t* sum,
                          cudaStream_t stream) {
    std::size_t bytes = sum_scratch_bytes(count);
    return reduce(scratch, bytes, values, count, sum, stream);
}

} // namespace hogwild
