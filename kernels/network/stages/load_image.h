// Bytes of an image become numbers, within zeros around them (kernels/network/stages/conv_pool.h).
#pragma once

#include "kernels/network/stages/conv_pool.h"

#include <cstddef>
#include <cstdint>

namespace hogwild {

/// Precondition: the places around the image are zeros already.
inline void load_image(const ConvPoolShape& shape, const std::uint8_t* pixels, float* padded) {
    const std::uint32_t wide = shape.width * shape.channels;
    float* to = padded + shape.padding * (shape.line() + shape.channels);
    for (std::uint32_t y = 0; y < shape.height; ++y, pixels += wide, to += shape.line())
        for (std::uint32_t k = 0; k < wide; ++k) to[k] = static_cast<float>(pixels[k]) * (1.0f / 255.0f);
}

/// For the lanes that the caller runs on, or the compiler's own.
struct LoadImage {
    template <class Lanes>
    static void run(const ConvPoolShape& shape, const std::uint8_t* pixels, float* padded) {
        load_image(shape, pixels, padded);
    }
};

} // namespace hogwild
