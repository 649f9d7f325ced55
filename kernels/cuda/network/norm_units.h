// How squads share out batch normalisation of a batch (kernels/cuda/network/norm_step.cuh). A unit is a ghost batch and
// eight neighbouring channels, as many as one fetch from memory brings. Readable by the host compiler.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/layers/batch_norm.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

struct NormUnits {
    static constexpr std::uint32_t kChannels = 8;

    std::uint32_t ghosts, blocks; // of channels, of which the last may be smaller

    HOGWILD_HOST_DEVICE NormUnits(const Layer& layer, std::uint32_t count)
        : ghosts(BatchNorm::ghosts(count)), blocks((layer.out.channels + kChannels - 1) / kChannels) {}

    HOGWILD_HOST_DEVICE std::uint32_t count() const { return ghosts * blocks; }
};

} // namespace hogwild
