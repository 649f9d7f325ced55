// A dataset's samples in device memory. Only in builds with CUDA.
//
// Copied through two page-locked buffers, so that filling one overlaps with sending the other. Immutable afterwards: any
// number of streams read it. Errors: throws Error when the device lacks the memory.
#pragma once

#include "engine/gpu/device_memory.h"
#include "kernels/views.h"

#include <cstdint>

namespace hogwild {

class DeviceDataset {
public:
    explicit DeviceDataset(const SparseView& samples);

    /// Pointers into device memory.
    SparseView view() const;

private:
    DeviceArray<std::uint64_t> offsets_;
    DeviceArray<std::uint32_t> indices_;
    DeviceArray<float> values_;
    DeviceArray<float> labels_;
    std::uint64_t rows_;
    std::uint32_t columns_;
};

/// Copies `bytes` from ordinary host memory to device memory, pinned and overlapped; returns when all has arrived.
void upload(void* device, const void* host, std::size_t bytes);

} // namespace hogwild
