// What is not finite among weights whose loss is not finite. For a network it is the first layer with such a weight.
// Where all weights are finite, it is the first layer whose outputs are not for some image. For other models it is how
// many weights.
//
// Thread-safety: a pure function.
#pragma once

#include "kernels/views/any_view.h"

#include <string>

namespace hogwild {

/// "weights of layer 2, conv 5x5 relu 8x8x16, are not", or "all weights are finite, outputs of layer 3, dense 120, are
/// not". Something else where those are finite, too. `weights`: as many as the view has coordinates.
std::string what_broke(const AnyView& data, const float* weights);

} // namespace hogwild
