// Borrowed memory: Hogwild! steps on a network of which every phase is a launch on its worker's stream. So one captured
// graph serves all steps, and products of dense layers can be a library's. Readable by the host compiler.
//
//   kImages    the worker claims the next batch of its stretch, copies the weights, and its images become floats
//   kForward   dense: outputs = inputs x weights is given; biases and activation are left
//   kScores    biases of the last layer, if it is dense; slopes along scores
//   kBack      dense: slopes along inputs = slopes x weights^T is given; the activation is left
//   kGradient  dense: inputs^T x slopes is given, into the worker's gradient; convolutions' parts are left
//   kParts     all of the gradient is added to the weights that workers share, under the update policy, and what moves running statistics
//   kEnd       the step is counted
//
// Only the first and the last but one of these touch the shared weights: whatever a library reads nobody else writes. It takes whole
// batches, so of a smaller one the rest of the tape is zeros.
// What a step is about stands in device memory (NetworkTurn), since a graph cannot be told.
// Thread-safety: of one stream, whose launches follow each other.
#pragma once

#include "kernels/annotate.h"
#include "kernels/cuda/network/network_phases.h"
#include "kernels/cuda/pass.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

/// What a worker does.
struct NetworkTurn {
    /// Positions that the host gives it, to be cut into batches.
    struct Stretch {
        std::uint32_t epoch = 0, first = 0, count = 0;
        std::uint64_t others = 0, last = 0; // of RunClock
    };
    struct Batch {
        std::uint32_t first = 0, count = 0; // positions; none behind the stretch's end
    };

    Stretch stretch;
    std::uint32_t next = 0; // batch of the stretch

    // What the step under way has:
    Batch batch;
    float factor = 0;               // of the gradient
    unsigned long long number = 0;  // of the step, on the optimiser's state
    unsigned long long at_read = 0; // steps that had written before it read

    HOGWILD_HOST_DEVICE Batch claimed(std::uint32_t size) const {
        const std::uint64_t begin = std::uint64_t{next} * size;
        if (begin >= stretch.count) return {};
        const auto within = static_cast<std::uint32_t>(begin), rest = stretch.count - within;
        return {stretch.first + within, rest < size ? rest : size};
    }
};

struct NetworkGraphStep : PassOver<DeviceImages> {
    NetworkTurn* turn = nullptr; // on the device

    using PassOver<DeviceImages>::PassOver;
};

/// Launches one phase; `overlaps`: it may begin before the launch before has ended, which is one of these too.
using NetworkGraphPhase = cudaError_t (*)(const NetworkGraphStep& step, const NetworkPhase& phase, bool overlaps,
                                          cudaStream_t stream);

/// The worker's next steps are on this stretch; behind what its stream was given before.
cudaError_t give_stretch(NetworkTurn* turn, const NetworkTurn::Stretch& stretch, cudaStream_t stream);

} // namespace hogwild
