// Borrowed memory: steps of a convolution with max pooling (kernels/cuda/products/conv_pool.h) on images that lie in device memory
// as bytes, as launches of their own. Readable by the host compiler.
//
// Fused, forward is one launch, from bytes to the pooled map and its winners. Back is one launch too, from slopes along
// the pooled map to slopes along the images and the gradient. No map of floats lies in device memory between them. The
// gradient does, in parts for some images each, which the update adds up. Unfused it is a launch for each layer, and
// every map is there. All arrays are of a batch, images one after another, channels last. Thread-safety: the launches
// of a stream follow each other.
#pragma once

#include "kernels/cuda/products/conv_pool.h"

#include <cstdint>

#include <cuda_runtime_api.h>

namespace hogwild {

struct ConvPoolArrays {
    const std::uint8_t* dataset = nullptr;
    const std::uint32_t* samples = nullptr; // of the batch, among the dataset's
    std::uint32_t count = 0;                // of the batch
    MapShape image;                         // without the border that the convolution's input has
    float* weights = nullptr;
    float* pooled = nullptr;
    std::uint8_t* winners = nullptr;      // of each entry of the pooled map: 2 y + x within its window
    const float* pooled_slopes = nullptr; // along the pooled map, before its activation
    float* image_slopes = nullptr;        // along the images; null: not asked for
    float* parts = nullptr;               // conv_pool_parts gradients
    float factor = 0;                     // of the gradient, which is added to the weights

    float* images = nullptr;     // unfused: the convolution's input
    float* map = nullptr;        // unfused: its outputs
    float* map_slopes = nullptr; // unfused: along these
    float* gradient = nullptr;   // unfused: zeros
};

/// Whether there is room for the step in a multiprocessor's memory.
bool conv_pool_fits(const ConvPool& shape);

/// How many parts the gradient of so many images is made in.
std::uint32_t conv_pool_parts(const ConvPool& shape, std::uint32_t count);

cudaError_t launch_conv_pool_forward(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);

cudaError_t launch_conv_pool_back(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);

/// The parts of the gradient are added up, and to the weights.
cudaError_t launch_conv_pool_update(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);

/// Layer by layer: a thread for each number that is written, but for the gradient, whose threads share out images and add
/// atomically.
namespace unfused {

cudaError_t launch_load(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);
cudaError_t launch_convolution(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);
cudaError_t launch_pooling(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);
cudaError_t launch_pooling_back(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);
cudaError_t launch_image_slopes(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);
cudaError_t launch_gradient(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);
cudaError_t launch_update(const ConvPool& shape, const ConvPoolArrays& arrays, cudaStream_t stream);

} // namespace unfused

} // namespace hogwild
