// Reads CIFAR-10's binary files, plain or compressed.
//
//   records of 3,073 bytes: a class, 0 to 9; then 32 x 32 bytes of red, as many of green, and of blue, each row by row
//
// Errors: throws Error `name: what (why); try`. Reentrant. Source: Krizhevsky, "Learning Multiple Layers of Features from Tiny
// Images", 2009, and the page of the data set.
#pragma once

#include "engine/data/text/text_source.h"
#include "kernels/views/map_shape.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

struct CifarImages {
    static constexpr MapShape kShape{32, 32, 3};
    static constexpr std::uint32_t kClasses = 10;

    std::vector<std::uint8_t> pixels; // channels last
    std::vector<std::uint8_t> labels;
    std::uint64_t text_bytes = 0;
};

/// `stored` is the file's content; `name` is for messages.
CifarImages read_cifar(std::string_view stored, const std::string& name, const TextLimits& limits = {});

} // namespace hogwild
