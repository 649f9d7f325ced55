// The shape of an image, and of what the layers of a network make of it. Entry (y, x, c) lies at (y width + x) channels
// + c.
#pragma once

#include "kernels/annotate.h"

#include <cstdint>

namespace hogwild {

/// A feature map.
struct MapShape {
    std::uint32_t height = 1, width = 1, channels = 1;

    HOGWILD_HOST_DEVICE constexpr std::uint32_t size() const { return height * width * channels; }
    HOGWILD_HOST_DEVICE constexpr std::uint32_t places() const { return height * width; }
    friend constexpr bool operator==(const MapShape&, const MapShape&) = default;
};

} // namespace hogwild
