// The convolution with subsampling by cuDNN, as a stage beside ours (engine/stages/conv_pool_stage.h). Each layer and
// direction is a call, by the algorithm that cuDNN finds fastest. Steps are captured as ours are. Where cuDNN was found
// at configuring.
//
// Maps are of channels first, cuDNN's quickest layout for single precision; turning images to it counts as loading them.
#pragma once

#include "engine/stages/conv_pool_stage.h"

#include <memory>

namespace hogwild {

/// `tf32`: products may round factors to 10 bits, on tensor cores. Null in a build without cuDNN.
std::unique_ptr<ConvPoolStage> cudnn_stage(const ConvPoolInput& input, bool tf32);

} // namespace hogwild
