// Reads IDX files, MNIST's format of images and labels, plain or compressed.
//
//   0 0 TYPE DIMENSIONS, the size of each dimension (32 bits, the high byte first), then the entries, the last dimension fastest
//
// Only arrays of unsigned bytes (type 8) are read: images have three dimensions (number, height, width), labels one. A file is
// what its header says, to the byte.
// Errors: throws Error `name: what (why); try`. Reentrant. Source: LeCun, Cortes, Burges, "The MNIST database".
#pragma once

#include "engine/data/text/text_source.h"
#include "engine/memory/pages.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hogwild {

enum class IdxKind { kImages, kLabels };

struct IdxArray {
    std::vector<std::uint32_t> sizes; // of the dimensions: three of images, one of labels; none is 0
    PageArray<std::uint8_t> entries;
    std::uint64_t text_bytes = 0;
};

/// Bytes of an image, at most.
inline constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 24;

/// `stored` is the file's content; `name` is for messages.
IdxArray read_idx(std::string_view stored, const std::string& name, IdxKind kind, const TextLimits& limits = {});

} // namespace hogwild
