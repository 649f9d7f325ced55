#include "kernels/cuda/batches/dense_batches.h"

#include "kernels/cuda/batches/batch_sample.cuh"

namespace hogwild {
namespace {

constexpr unsigned kThreads = 256;

/// A warp per sample.
__global__ void __launch_bounds__(kThreads) copy_rows(const __grid_constant__ DeviceBatches run, std::uint32_t number) {
    const std::uint32_t i = device::warp_of_grid();
    const BatchSample sample = device::sample_of(run, *run.base + number, i);
    float* const row = run.rows + std::uint64_t{i} * run.data.columns;
    for (std::uint32_t k = device::lane(); k < sample.size; k += device::kWarp) {
        row[k] = __ldcs(run.data.values + sample.begin + k);
    }
}

} // namespace

cudaError_t gather_rows(const DeviceBatches& run, std::uint32_t number, cudaStream_t stream) {
    constexpr unsigned kWarps = kThreads / device::kWarp;
    copy_rows<<<(run.size + kWarps - 1) / kWarps, kThreads, 0, stream>>>(run, number);
    return cudaGetLastError();
}

} // namespace hogwild
