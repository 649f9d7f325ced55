// Borrowed memory: synchronous minibatch steps on a GPU over samples that touch groups of coordinates
// (kernels/views/any_view.h). Groups are pairs of factor rows, ends of edges, or vectors of words. Readable by the host
// compiler.
//
// As in kernels/cuda/batches/batches.h a batch is two launches, and its sums are integers. The first also lists the
// groups that the batch touches, each once. The second goes through the list. It makes one atomic exchange for a row,
// beside tens of increments. So a batch costs what it touches, whatever the size of the model.
#pragma once

#include "kernels/cuda/batches/batches.h"
#include "kernels/cuda/batches/touched_groups.h"
#include "kernels/views/any_view.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

/// But for the samples.
struct GroupBatchFrame : BatchFrame {
    const std::uint32_t* numbers = nullptr; // of the sample at each position of the epoch
    const std::uint32_t* epoch = nullptr;   // which it is
    std::uint64_t seed = 0;                 // of the run: for patterns whose samples draw numbers
    TouchedGroups touched;
};

/// As the host gives it.
struct GroupBatches : GroupBatchFrame {
    AnyView data; // in memory that the device reads
};

/// As a kernel takes it.
template <class View>
struct GroupBatchesOver : GroupBatchFrame {
    View data;

    /// Precondition: the batches are of such samples.
    explicit GroupBatchesOver(const GroupBatches& run) : GroupBatchFrame(run), data(run.data.as<View>()) {}
};

/// Launches the step of batch *run.base + number.
using GroupBatchStep = cudaError_t (*)(const GroupBatches& run, std::uint32_t number, cudaStream_t stream);

} // namespace hogwild
