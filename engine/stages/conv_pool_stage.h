// A stage of speeding up the convolution with subsampling of kernels/network/stages/conv_pool.h. It is one way to take
// its step, and tells how long the parts of a step take. All stages take the same step.
//
// A stage owns its arrays and one buffer of weights. Thread-safety: one thread at a time; a stage may have workers of its own.
// Errors: making one throws Error where it cannot run.
#pragma once

#include "kernels/network/stages/conv_pool.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace hogwild {

/// Seconds, added up over steps. A stage that does two parts at once counts them as the first and has 0 for the second.
/// Several workers' seconds are their mean.
struct ConvPoolParts {
    double load = 0;        // bytes of the batch's images, gathered, become numbers
    double convolution = 0; // with relu
    double pooling = 0;
    double backward = 0; // slopes, and the gradient
    double update = 0;   // of the weights
    double copies = 0;   // between devices

    double sum() const { return load + convolution + pooling + backward + update + copies; }
};

/// What a stage works on. Borrowed, but for the weights, which it copies.
struct ConvPoolInput {
    ConvPoolShape shape;
    const std::uint8_t* dataset = nullptr; // dataset_images x shape.image_size()
    std::uint32_t dataset_images = 0;
    const float* pooled_slopes = nullptr; // shape.images x shape.pooled_size()
    std::span<const float> weights;       // shape.weights(), to begin with
};

class ConvPoolStage {
public:
    ConvPoolStage() = default;
    ConvPoolStage(const ConvPoolStage&) = delete;
    ConvPoolStage& operator=(const ConvPoolStage&) = delete;
    virtual ~ConvPoolStage() = default;

    virtual std::string_view name() const = 0;

    /// What it does that the stage before does not, in a line.
    virtual std::string_view says() const = 0;

    /// One step on the images samples[0 .. shape.images - 1] of the dataset. No clock runs where `parts` is null. May return while
    /// a device still works.
    virtual void step(const std::uint32_t* samples, float step_size, ConvPoolParts* parts) = 0;

    /// Waits for the device.
    virtual void finish() {}

    /// Copies of what the last step left: weights, shape.images pooled maps, and, if they are wanted, slopes along the
    /// images. Slopes come without the zeros around them, and are empty where they are not wanted.
    virtual std::vector<float> weights() const = 0;
    virtual std::vector<float> pooled() const = 0;
    virtual std::vector<float> input_slopes() const = 0;

    /// Bytes that a step reads from and writes to its arrays, by formula: each array once for every pass over it. What
    /// is used again at once, and so stays in a near cache, is not counted. Such are a line, a tile of sums, a slot of
    /// a ring.
    virtual std::uint64_t bytes_moved() const = 0;
};

using ConvPoolStages = std::vector<std::unique_ptr<ConvPoolStage>>;

/// From plain loops to the best one, each of one idea more.
ConvPoolStages cpu_conv_pool_stages(const ConvPoolInput& input);

/// Those of a GPU, each of one idea more; none in a build without CUDA.
ConvPoolStages gpu_conv_pool_stages(const ConvPoolInput& input);

} // namespace hogwild
