// Synchronous steps over samples that touch groups of coordinates (kernels/cuda/batches/group_batches.h), and the memory they need.
// Only in builds with CUDA.
//
// Thread-safety: one thread. Errors: throws Error.
#pragma once

#include "engine/gpu/batches/batch_steps.h"
#include "engine/gpu/epoch_numbers.h"
#include "engine/gpu/memory/device_memory.h"
#include "kernels/cuda/batches/group_batches.h"

namespace hogwild {

class GroupBatchSteps : public BatchSteps {
public:
    /// `frame` has its sums' unit. Samples and the stream are borrowed.
    GroupBatchSteps(GroupBatchStep step, const AnyView& there, const SampleOrder& order, const BatchFrame& frame,
                    const Stream& stream);

    void begin_epoch(std::uint32_t epoch) override { order_.table(epoch, stream_); }
    void launch(std::uint32_t number) override;

private:
    GroupBatchStep step_;
    EpochNumbers order_;
    const Stream& stream_;
    DeviceArray<long long> sums_;
    DeviceArray<std::uint32_t> marks_, list_;
    DeviceArray<std::uint32_t> counts_{2}; // of the list; blocks that are through with it
    GroupBatches run_;
};

} // namespace hogwild
