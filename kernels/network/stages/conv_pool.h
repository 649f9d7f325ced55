// One convolution followed by a subsampling: the hot part of a convolutional network, as one kernel that stages of speeding up
// share.
//
// For every image of a batch, channels last, with `padding` zeros around it:
//
//   image       = byte x (1 / 255), in float, as kernels/patterns/network_pass.h does it
//   map(y, x)   = relu(sum over k = (ky, kx, channel) of image(y + ky, x + kx, channel) x row k of weights + biases)
//   pooled(y, x) = the largest of map's window of pool x pool places; windows part the map, lines that fill none are left out
//   back        : of equal entries the first one, line by line, has the window's slope, if it is above 0
//   update      : weights -= step size x gradient summed over the batch
//
// Weights are as in kernels/network/network.h: depth = kernel x kernel x channels rows of `filters` numbers, then a row of biases.
// Slopes along the pooled map are given: they stand for what later layers send back.
// Preconditions: 1 <= pool <= 3, and at least one window fits. A value that owns nothing. Thread-safety: immutable once made.
#pragma once

#include "kernels/annotate.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

struct ConvPoolShape {
    std::uint32_t images = 1;                          // of a batch
    std::uint32_t height = 1, width = 1, channels = 1; // of an image
    std::uint32_t filters = 1, kernel = 1, padding = 0;
    std::uint32_t pool = 1;    // side of a window, and from one to the next
    bool input_slopes = false; // whether slopes along the images are wanted, as of all layers but the first

    HOGWILD_HOST_DEVICE constexpr std::uint32_t padded_height() const { return height + 2 * padding; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t padded_width() const { return width + 2 * padding; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t map_height() const { return padded_height() - kernel + 1; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t map_width() const { return padded_width() - kernel + 1; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t pooled_height() const { return map_height() / pool; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t pooled_width() const { return map_width() / pool; }

    /// Rows of weights without the biases'; numbers of a line of a window, and of a line of a padded image.
    HOGWILD_HOST_DEVICE constexpr std::uint32_t depth() const { return kernel * kernel * channels; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t window_line() const { return kernel * channels; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t line() const { return padded_width() * channels; }

    /// Numbers: of all weights, and of one image's arrays.
    HOGWILD_HOST_DEVICE constexpr std::uint32_t weights() const { return (depth() + 1) * filters; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t image_size() const { return height * width * channels; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t padded_size() const { return padded_height() * line(); }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t map_size() const { return map_height() * map_width() * filters; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t pooled_size() const {
        return pooled_height() * pooled_width() * filters;
    }

    /// The distance from the first number of a padded image to the first of window (y, x)'s first place. From there on
    // to its place q, line by line.
    HOGWILD_HOST_DEVICE constexpr std::uint32_t corner(std::uint32_t y, std::uint32_t x) const {
        return (y * line() + x * channels) * pool;
    }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t place(std::uint32_t q) const {
        return q / pool * line() + q % pool * channels;
    }

    /// Multiplications and additions of a step that are needed: forward at every place that a window covers, back at one place of
    /// each window.
    HOGWILD_HOST_DEVICE constexpr double flops() const {
        const double places = double{1} * pool * pool + 1 + (input_slopes ? 1 : 0);
        return 2.0 * images * pooled_size() * depth() * places;
    }

    /// Bytes that no stage can avoid. Images and slopes are read; the pooled map, and slopes along the images if they
    /// are wanted, are written; weights are read and written.
    HOGWILD_HOST_DEVICE constexpr std::uint64_t least_bytes() const {
        const std::uint64_t of_image = std::uint64_t{image_size()} * (input_slopes ? 1 + sizeof(float) : 1) +
                                       std::uint64_t{pooled_size()} * 2 * sizeof(float);
        return images * of_image + std::uint64_t{weights()} * 2 * sizeof(float);
    }

    friend constexpr bool operator==(const ConvPoolShape&, const ConvPoolShape&) = default;
};

} // namespace hogwild
