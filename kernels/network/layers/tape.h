// Borrowed memory: what a network makes of some samples, kept for the way back.
//
// Each sample has, one after another: the image as floats, the outputs of every layer, and the slopes of its loss along
// outputs before activation. A layer without an activation has the slopes along its outputs. The first sample of each
// ghost batch is followed by what batch normalisation keeps of it, four rows a layer (NormRow). They are mean and
// variance, and the sums of slopes along gamma and beta.
// Thread-safety: belongs to one worker.
#pragma once

#include "kernels/annotate.h"
#include "kernels/network/network.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

class NetworkTape {
public:
    /// `data`: images as a view or as a kernel has them.
    HOGWILD_HOST_DEVICE NetworkTape(const auto& data, float* at)
        : network_(data.network()), image_(data.shape.size()), at_(at) {}

    /// Floats of a sample.
    HOGWILD_HOST_DEVICE static std::size_t size(const auto& data) {
        return data.shape.size() + 2 * std::size_t{data.network().activations} + data.network().statistics;
    }

    HOGWILD_HOST_DEVICE std::size_t stride() const {
        return image_ + 2 * std::size_t{network_.activations} + network_.statistics;
    }
    HOGWILD_HOST_DEVICE float* image(std::uint32_t i) const { return at_ + i * stride(); }
    HOGWILD_HOST_DEVICE float* output(std::uint32_t i, std::uint32_t layer) const {
        return image(i) + image_ + network_.layers[layer].output;
    }
    HOGWILD_HOST_DEVICE float* input(std::uint32_t i, std::uint32_t layer) const {
        return layer == 0 ? image(i) : output(i, layer - 1);
    }
    HOGWILD_HOST_DEVICE float* slopes(std::uint32_t i, std::uint32_t layer) const {
        return output(i, layer) + network_.activations;
    }
    HOGWILD_HOST_DEVICE float* statistics(std::uint32_t i, std::uint32_t layer) const {
        return image(i) + image_ + 2 * std::size_t{network_.activations} + network_.layers[layer].statistics;
    }
    HOGWILD_HOST_DEVICE float* scores(std::uint32_t i) const { return output(i, network_.count - 1); }

private:
    const NetworkShape& network_;
    std::uint32_t image_;
    float* at_;
};

} // namespace hogwild
