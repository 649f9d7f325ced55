// The numbers of samples in the order of an epoch, tabled on the device, and which epoch it is. Only in builds with CUDA.
//
// Thread-safety: one thread. Errors: throws Error.
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "engine/gpu/stream.h"
#include "kernels/cuda/batches/batches.h"
#include "kernels/views/sample_order.h"

#include <cstdint>

namespace hogwild {

class EpochNumbers {
public:
    explicit EpochNumbers(const SampleOrder& order) : order_(order), numbers_(order.rows) {}

    /// Tables an epoch's on the stream, behind what it was given before.
    void table(std::uint32_t epoch, const Stream& stream) {
        *staged_.data() = epoch;
        check(cudaMemcpyAsync(epoch_.data(), staged_.data(), sizeof(epoch), cudaMemcpyHostToDevice, stream.get()),
              "sending an epoch's number");
        check(table_numbers(order_, epoch, numbers_.data(), stream.get()), "tabling an epoch's order");
    }

    const std::uint32_t* numbers() const { return numbers_.data(); }
    const std::uint32_t* epoch() const { return epoch_.data(); }

private:
    SampleOrder order_;
    DeviceArray<std::uint32_t> numbers_; // in the epoch's order
    PinnedArray<std::uint32_t> staged_{1};
    DeviceArray<std::uint32_t> epoch_{1};
};

} // namespace hogwild
