// Synchronous steps on a network (kernels/cuda/batches/network_batches.h), and the memory they need. Only in builds with CUDA.
//
// Thread-safety: one thread. Errors: throws Error.
#pragma once

#include "engine/gpu/batches/batch_steps.h"
#include "engine/gpu/epoch_numbers.h"
#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/memory/optimizer_memory.h"
#include "kernels/cuda/batches/network_batches.h"

namespace hogwild {

class NetworkBatchSteps : public BatchSteps {
public:
    /// Samples and the stream are borrowed.
    NetworkBatchSteps(NetworkBatchStep step, const Plan& plan, const AnyView& there, const SampleOrder& order,
                      const BatchFrame& frame, const Stream& stream);

    void begin_epoch(std::uint32_t epoch) override { order_.table(epoch, stream_); }
    void launch(std::uint32_t number) override;

private:
    NetworkBatchStep step_;
    EpochNumbers order_;
    const Stream& stream_;
    DeviceArray<float> memory_;
    OptimizerMemory optimizer_;
    NetworkBatches run_;
};

} // namespace hogwild
