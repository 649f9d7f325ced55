// What of weights whose loss is not finite is not finite either: of a network the first layer with such a weight, or, where all
// weights are finite, the first layer whose outputs are not for some image; else how many weights.
//
// Thread-safety: a pure function.
#pragma once

#include "kernels/views/any_view.h"

#include <string>

namespace hogwild {

/// "weights of layer 2, conv 5x5 relu 8x8x16, are not", "all weights are finite, outputs of layer 3, dense 120, are not"; something
/// else where those are, too. `weights`: as many as the view has coordinates.
std::string what_broke(const AnyView& data, const float* weights);

} // namespace hogwild
