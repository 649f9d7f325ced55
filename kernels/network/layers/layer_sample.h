// What a layer without weights is given of one sample.
//
// Such a layer is a class with two functions:
//
//   forward(of, in, out)               its outputs
//   back(of, in, slopes, in_slopes)    slopes along its inputs, from those along its outputs
#pragma once

#include "kernels/network/dropout.h"
#include "kernels/network/network.h"

#include <cstdint>

namespace hogwild {

struct LayerSample {
    const Layer& layer;
    std::uint32_t number; // of the layer
    std::uint32_t sample; // its number
    const DropoutDraws& draws;
};

/// A layer that goes sample by sample.
template <class Kind>
concept StepsBySample = requires(const LayerSample& of, const float* in, float* out) {
    Kind::forward(of, in, out);
};

} // namespace hogwild
