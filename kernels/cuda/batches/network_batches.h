// Borrowed memory: synchronous minibatch steps on a network on a GPU. Readable by the host compiler.
//
// A batch is a launch for each phase (kernels/cuda/network/network_phases.h), of as many blocks as the phase has pieces. Every
// weight has one thread that adds to it, and sums have a fixed order: the same bits at every run.
#pragma once

#include "kernels/cuda/batches/batches.h"
#include "kernels/cuda/network/device_images.h"
#include "kernels/cuda/network/team_memory.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

struct NetworkBatches : BatchFrame {
    const std::uint32_t* numbers = nullptr; // of the sample at each position of the epoch
    const std::uint32_t* epoch = nullptr;   // which it is
    Teams teams;                            // one
    DeviceImages data;                      // in memory that the device reads
};

/// Launches the step of batch *run.base + number.
using NetworkBatchStep = cudaError_t (*)(const NetworkBatches& run, std::uint32_t number, cudaStream_t stream);

} // namespace hogwild
