// How the squads of a launch share out a step of a convolution with max pooling (kernels/cuda/products/conv_pool.h). Readable by
// the host compiler.
//
// A unit has some images and a block of pieces. Pieces belong to what is multiplied with: a few filters forward, a few
// channels on the way back, some of both in the gradient. A squad brings a unit's weights into its memory once, and as
// many of its maps at a time as fit.
#pragma once

#include "kernels/annotate.h"
#include "kernels/cuda/products/conv_pool.h"

#include <cstdint>

namespace hogwild {

/// A map in a squad's memory: channel by channel, so that neighbours in a line lie side by side. Lines begin at even places; planes
/// of a pixel's channels, at different banks.
struct PlanarMap {
    std::uint32_t pitch, plane;

    HOGWILD_HOST_DEVICE explicit PlanarMap(const MapShape& map)
        : pitch((map.width + 1) / 2 * 2), plane(map.height * pitch) {
        plane += (34 - plane % 32) % 32;
    }
};

/// What a place of the pooled map sends back, and from where.
struct WinnerSlope {
    float slope;
    std::uint32_t at; // of the convolution's output: y << 16 | x
};

/// Winners' slopes in a squad's memory: of a pooled place all filters, and one more so that places begin at different banks.
HOGWILD_HOST_DEVICE inline std::uint32_t winner_floats(const ConvPool& shape, std::uint32_t filters) {
    return shape.pooled.places() * (filters + 1) * 2;
}

struct UnitCut {
    std::uint32_t count;    // images of the batch
    std::uint32_t pieces;   // of a block
    std::uint32_t blocks;   // 0: a squad's memory is too small
    std::uint32_t images;   // of a unit
    std::uint32_t together; // of these, in memory at a time

    HOGWILD_HOST_DEVICE std::uint32_t units() const { return blocks * ((count + images - 1) / images); }
};

/// `items`: threads' work of an image and a piece. `of_piece`, `of_image`, `memory`: floats.
HOGWILD_HOST_DEVICE inline UnitCut cut_units(std::uint32_t count, std::uint32_t squads, std::uint32_t pieces,
                                             std::uint32_t items, std::uint32_t of_piece, std::uint32_t of_image,
                                             std::uint32_t memory) {
    UnitCut cut{count, 0, 0, 0, 0};
    if (of_piece + of_image > memory) return cut;
    const std::uint32_t most = (memory - of_image) / of_piece;
    cut.pieces = most < pieces ? most : pieces;
    while (cut.pieces > 1 && cut.pieces * items > 256 && count * ((pieces + cut.pieces - 1) / cut.pieces) < squads)
        --cut.pieces;
    cut.blocks = (pieces + cut.pieces - 1) / cut.pieces;
    cut.pieces = (pieces + cut.blocks - 1) / cut.blocks;
    cut.images = (count * cut.blocks + squads - 1) / squads;
    const std::uint32_t room = (memory - cut.pieces * of_piece) / of_image;
    cut.together = room < cut.images ? room : cut.images;
    return cut;
}

/// Filters that a thread has forward: a few, of which a pixel that it has read is used by all.
HOGWILD_HOST_DEVICE inline std::uint32_t filters_of_thread(const ConvPool& shape) {
    const std::uint32_t filters = shape.filters();
    if (filters % 6 == 0 && filters % 8 != 0) return 6;
    return filters % 8 == 0 && filters / 8 * shape.pooled.places() >= 128 ? 8 : 4;
}

HOGWILD_HOST_DEVICE inline UnitCut cut_forward(const ConvPool& shape, std::uint32_t count, std::uint32_t squads,
                                               std::uint32_t memory) {
    const std::uint32_t together = filters_of_thread(shape);
    return cut_units(count, squads, (shape.filters() + together - 1) / together, shape.pooled.places(),
                     (shape.depth() + 1) * together, PlanarMap(shape.in).plane * shape.in.channels, memory);
}

/// Channels that a thread has on the way back.
HOGWILD_HOST_DEVICE inline std::uint32_t channels_of_thread(const ConvPool& shape) {
    return shape.in.channels % 4 == 0 ? 4 : shape.in.channels % 2 == 0 ? 2 : 1;
}

/// Floats from one filter to the next, where so many channels of all filters' weights lie.
HOGWILD_HOST_DEVICE inline std::uint32_t filter_stride(const ConvPool& shape, std::uint32_t channels) {
    return (shape.kernel * shape.kernel * channels + 5) / 2 * 2;
}

HOGWILD_HOST_DEVICE inline UnitCut cut_back(const ConvPool& shape, std::uint32_t count, std::uint32_t squads,
                                            std::uint32_t memory) {
    const std::uint32_t together = channels_of_thread(shape);
    return cut_units(count, squads, shape.in.channels / together, shape.in.places(),
                     shape.filters() * filter_stride(shape, together), winner_floats(shape, shape.filters()), memory);
}

/// Blocks of a gradient: so many filters and channels each.
struct GradientBlocks {
    std::uint32_t filters, channels, down, across;

    HOGWILD_HOST_DEVICE explicit GradientBlocks(const ConvPool& shape)
        : filters(shape.filters() < 8 ? shape.filters() : 8),
          channels(shape.in.channels < 32 ? shape.in.channels : 32),
          down((shape.filters() + filters - 1) / filters),
          across((shape.in.channels + channels - 1) / channels) {}

    HOGWILD_HOST_DEVICE std::uint32_t count() const { return down * across; }
    /// Floats of an image.
    HOGWILD_HOST_DEVICE std::uint32_t of_image(const ConvPool& shape) const {
        return PlanarMap(shape.in).plane * channels + winner_floats(shape, filters);
    }
};

/// Whether a squad with so many floats of memory can take the step.
HOGWILD_HOST_DEVICE inline bool fits(const ConvPool& shape, std::uint32_t memory) {
    const std::uint32_t sums = (shape.kernel * shape.kernel + 1) * 256; // of the gradient, a column for each thread
    return cut_forward(shape, 1, 1, memory).blocks > 0 && cut_back(shape, 1, 1, memory).blocks > 0 &&
           GradientBlocks(shape).of_image(shape) <= memory && sums <= memory;
}

} // namespace hogwild
