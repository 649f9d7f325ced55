// A dataset's samples in device memory. Only in builds with CUDA.
//
// Copied through two page-locked buffers, so that filling one overlaps with sending the other. Immutable afterwards: any
// number of streams read it. Errors: throws Error when the device lacks the memory.
#pragma once

#include "engine/gpu/memory/device_memory.h"
#include "kernels/views/any_view.h"

#include <cstddef>
#include <vector>

namespace hogwild {

class DeviceDataset {
public:
    explicit DeviceDataset(const AnyView& samples);

    /// Its arrays lie in device memory.
    const AnyView& view() const { return view_; }

private:
    std::vector<DeviceArray<std::byte>> arrays_;
    AnyView view_;
};

/// Copies `bytes` from ordinary host memory to device memory, pinned and overlapped; returns when all has arrived.
void upload(void* device, const void* host, std::size_t bytes);

} // namespace hogwild
