// The launches that make one synchronous step on a GPU, and the memory they need besides what they borrow. Only in builds with
// CUDA.
//
// Sparse samples: two launches of kernels/cuda/batches.h, sums in integers. Samples that hold every column: the batch's rows
// are gathered, and both products are cuBLAS's (kernels/cuda/dense_batches.h). Either way the same bits at every run on one
// device.
// Thread-safety: one thread. Errors: throws Error.
#pragma once

#include "engine/gpu/stream.h"
#include "kernels/cuda/batches.h"
#include "kernels/views.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace hogwild {

class BatchSteps {
public:
    virtual ~BatchSteps() = default;

    /// Puts the step of batch *base + number on the stream; may be captured.
    virtual void launch(std::uint32_t number) = 0;
};

/// `data`: the samples of run.data in host memory. `run` says what is borrowed; its other fields are filled in here. The
/// stream outlives the result, and nothing else runs on it meanwhile.
std::unique_ptr<BatchSteps> make_batch_steps(std::string_view problem, const SparseView& data, const DeviceBatches& run,
                                             const Stream& stream);

} // namespace hogwild
