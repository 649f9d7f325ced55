#include "kernels/cuda/batches.h"

namespace hogwild {
namespace {

/// A block for a cell.
__global__ void table_cells(const SparseView data, const SampleOrder order, std::uint32_t epoch_number,
                            BatchSample* samples) {
    const std::uint32_t position = blockIdx.x * SampleOrder::kBlock + threadIdx.x;
    if (position >= order.rows) return;
    const EpochOrder epoch(order, epoch_number);
    const std::uint32_t row = CellOrder(epoch, blockIdx.x)(threadIdx.x);
    const std::uint64_t begin = data.offsets[row];
    samples[position] = {begin, static_cast<std::uint32_t>(data.offsets[row + 1] - begin), data.labels[row]};
}

} // namespace

bool launches_can_overlap() {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, table_cells) == cudaSuccess && attributes.ptxVersion >= 90;
}

cudaError_t table_samples(const SparseView& data, const SampleOrder& order, std::uint32_t epoch, BatchSample* samples,
                          cudaStream_t stream) {
    if (order.rows == 0) return cudaSuccess;
    const unsigned cells = (order.rows + SampleOrder::kBlock - 1) / SampleOrder::kBlock;
    table_cells<<<cells, SampleOrder::kBlock, 0, stream>>>(data, order, epoch, samples);
    return cudaGetLastError();
}

} // namespace hogwild
