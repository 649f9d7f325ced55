// Numbers of 16 bits by a GPU's instructions: the results of kernels/numbers/half_host.h.
#pragma once

#include "kernels/annotate.h"

#include <cstdint>

#include <cuda_fp16.h>

namespace hogwild {

HOGWILD_HOST_DEVICE inline float fp16_widened(std::uint32_t bits) {
    return __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
}

/// The neighbour of x that is no farther from zero.
HOGWILD_HOST_DEVICE inline std::uint32_t fp16_towards_zero(float x) { return __half_as_ushort(__float2half_rz(x)); }

} // namespace hogwild
