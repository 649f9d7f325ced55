#include "kernels/cuda/batches/batches.h"

namespace hogwild {
namespace {

/// entries[i] = entry(the sample at position i): a block for a cell.
template <class Entry, class Of>
__global__ void table_cells(const SampleOrder order, std::uint32_t epoch_number, const Of entry, Entry* entries) {
    const std::uint32_t position = blockIdx.x * SampleOrder::kBlock + threadIdx.x;
    if (position >= order.rows) return;
    const EpochOrder epoch(order, epoch_number);
    entries[position] = entry(CellOrder(epoch, blockIdx.x)(threadIdx.x));
}

struct SampleOf {
    SparseView data;

    __device__ BatchSample operator()(std::uint32_t row) const {
        const std::uint64_t begin = data.offsets[row];
        return {begin, static_cast<std::uint32_t>(data.offsets[row + 1] - begin), data.labels[row]};
    }
};

struct NumberOf {
    __device__ std::uint32_t operator()(std::uint32_t sample) const { return sample; }
};

template <class Entry, class Of>
cudaError_t table(const SampleOrder& order, std::uint32_t epoch, const Of& entry, Entry* entries, cudaStream_t stream) {
    if (order.rows == 0) return cudaSuccess;
    const unsigned cells = (order.rows + SampleOrder::kBlock - 1) / SampleOrder::kBlock;
    table_cells<<<cells, SampleOrder::kBlock, 0, stream>>>(order, epoch, entry, entries);
    return cudaGetLastError();
}

} // namespace

cudaError_t table_samples(const SparseView& data, const SampleOrder& order, std::uint32_t epoch, BatchSample* samples,
                          cudaStream_t stream) {
    return table(order, epoch, SampleOf{data}, samples, stream);
}

cudaError_t table_numbers(const SampleOrder& order, std::uint32_t epoch, std::uint32_t* numbers, cudaStream_t stream) {
    return table(order, epoch, NumberOf{}, numbers, stream);
}

} // namespace hogwild
