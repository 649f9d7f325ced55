// The memory behind labelled images that were read, generated or copied.
#pragma once

#include "engine/data/dataset.h"
#include "engine/memory/pages.h"

#include <cstdint>

namespace hogwild {

/// Owns the arrays an ImagesView borrows. Written by one producer, then shared as const.
struct ImagesArrays final : DatasetStorage {
    ImagesArrays() = default;
    ImagesArrays(std::uint64_t rows, MapShape shape_, std::uint32_t classes_)
        : pixels(rows * shape_.size()), labels(rows), shape(shape_), classes(classes_) {}

    PageArray<std::uint8_t> pixels;
    PageArray<std::uint8_t> labels;
    MapShape shape;
    std::uint32_t classes = 0;

    ImagesView view() const {
        return {.pixels = pixels.data(),
                .labels = labels.data(),
                .rows = labels.size(),
                .shape = shape,
                .classes = classes};
    }
};

} // namespace hogwild
