// The launches that make one synchronous step on a GPU, and the memory they need besides what they borrow. Only in builds with
// CUDA.
//
// Sparse samples: two launches of kernels/cuda/batches/batches.h, sums in integers. Samples that hold every column: the batch's rows
// are gathered, and both products are cuBLAS's (kernels/cuda/batches/dense_batches.h). Samples that touch groups of coordinates:
// two launches of kernels/cuda/batches/group_batches.h, sums in integers. Networks: a launch for each phase of
// kernels/cuda/batches/network_batches.h. Either way the same bits at every run on one device.
// Thread-safety: one thread. Errors: throws Error.
#pragma once

#include "engine/gpu/stream.h"
#include "kernels/cuda/batches/batches.h"
#include "kernels/views/any_view.h"

#include <cstdint>
#include <memory>

namespace hogwild {

struct Plan; // engine/plan/plan.h

class BatchSteps {
public:
    virtual ~BatchSteps() = default;

    /// Tables the order of an epoch on the stream, before its first batch.
    virtual void begin_epoch(std::uint32_t epoch) = 0;

    /// Puts the step of batch *base + number on the stream; may be captured.
    virtual void launch(std::uint32_t number) = 0;
};

/// `data`: the samples in host memory, `there` on the device. `frame` says what is borrowed; its other fields are filled in here.
/// What is given outlives the result, and nothing else runs on the stream meanwhile.
std::unique_ptr<BatchSteps> make_batch_steps(const Plan& plan, const AnyView& data, const AnyView& there,
                                             const BatchFrame& frame, const Stream& stream);

} // namespace hogwild
