// A copy of the weights while others step on them, with how many samples it holds. Readable by the host compiler.
#pragma once

#include "kernels/numbers/storage.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

/// Where the samples that the weights hold are counted: the streams' together, and CPU threads', a line each or one for all.
struct ProgressCounts {
    const unsigned long long* streams = nullptr; // in device memory; null: nobody goes on, nothing is counted
    const unsigned long long* threads = nullptr; // in page-locked memory, HostCounts::kStride words apart
    unsigned thread_count = 0;
};

/// What was consumed when the first block of a copy began and when the last one ended. In device memory, all zero before.
struct CopyProgress {
    unsigned long long before = 0;
    unsigned long long after = 0;
    unsigned begun = 0; // blocks
    unsigned ended = 0;
};

/// to[j] = from[j] for j < count, as floats, on the stream; fills `progress` where something is counted.
cudaError_t copy_snapshot(const StoredWeights& from, float* to, std::uint32_t count, const ProgressCounts& counts,
                          CopyProgress* progress, cudaStream_t stream);

} // namespace hogwild
