// Borrowed memory: synchronous minibatch steps on a GPU, one batch after another. Readable by the host compiler.
//
// A batch is two launches: gradients, then apply. The gradient's sums are integers (kernels/cuda/batches/sum_unit.h),
// so their order does not matter. The result has the same bits however warps run. Sums of sparse rows are applied, and
// set back to zero, in one of two ways. A batch with about as many nonzeros as there are coordinates goes coordinate by
// coordinate. In a smaller batch the first sample to come applies them: the batch costs its nonzeros, never the
// dimension. For samples that touch groups of coordinates see kernels/cuda/batches/group_batches.h. A batch's number is
// one on the device plus one of the launch. So a captured graph of k steps serves any k batches in a row. Where the
// device can, either launch begins while the one before still runs. It waits for that one once it has what nobody
// writes: the samples.
#pragma once

#include "kernels/cuda/batches/sum_unit.h"
#include "kernels/steps/pace.h"
#include "kernels/views/sample_order.h"
#include "kernels/views/sparse_view.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

/// Where a sample lies in the view's arrays, and its label.
struct BatchSample {
    std::uint64_t begin = 0;
    std::uint32_t size = 0;
    float label = 0;
};

/// What the launches of every synchronous step borrow.
struct BatchFrame {
    std::uint32_t size = 0;              // samples of a batch; an epoch's last may have fewer
    const std::uint32_t* base = nullptr; // the batch of the epoch that a launch's number 0 means
    const BatchPace* paces = nullptr;    // of the epoch's batches
    float* weights = nullptr;            // v
    long long* sums = nullptr;           // one per coordinate, all zero between batches
    SumUnit unit;                        // of the sums
    bool overlaps = false;               // launches begin before the one before has ended (launches_can_overlap)
};

struct DeviceBatches : BatchFrame {
    SparseView data;                      // in memory that the device reads
    const BatchSample* samples = nullptr; // at each position of the epoch
    float* slopes = nullptr;              // room for a batch; null: apply goes by coordinates
    float* rows = nullptr;                // dense_batches.h: room for a batch's rows, one after another
};

/// Launches the step of batch *run.base + number.
using BatchStep = cudaError_t (*)(const DeviceBatches& run, std::uint32_t number, cudaStream_t stream);

/// samples[i] = the one at position i of the epoch, on the stream.
cudaError_t table_samples(const SparseView& data, const SampleOrder& order, std::uint32_t epoch, BatchSample* samples,
                          cudaStream_t stream);

/// numbers[i] = that of the sample at position i of the epoch, on the stream.
cudaError_t table_numbers(const SampleOrder& order, std::uint32_t epoch, std::uint32_t* numbers, cudaStream_t stream);

} // namespace hogwild
