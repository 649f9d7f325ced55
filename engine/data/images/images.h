// Reads labelled images from their files (engine/data/images/image_files.h).
//
// A training set's classes are 0 to its largest label, at least two. A test set has the training set's, and images of its size. A
// class that no training image has is an error, since nobody could learn it.
// Errors: throws Error `file: what (why); try`. Reentrant.
#pragma once

#include "engine/data/images/image_arrays.h"
#include "engine/data/images/image_files.h"
#include "engine/data/text/text_source.h"

#include <bitset>
#include <cstdint>
#include <memory>
#include <string>

namespace hogwild {

/// What a test set takes over from its training set.
struct ImagesBase {
    MapShape shape;
    std::bitset<ImagesView::kMostClasses> occurring; // classes that some image has

    ImagesBase() = default;
    explicit ImagesBase(const ImagesView& images);
};

struct ImagesData {
    std::shared_ptr<ImagesArrays> arrays;
    std::uint64_t content_hash = 0; // of all files as they are stored
    std::uint64_t file_bytes = 0, text_bytes = 0;
};

ImagesData read_images(const ImageFiles& files, const TextLimits& limits = {});

/// Throws Error where `test`, called `name`, is no test set of these.
void check_test(const ImagesArrays& test, const std::string& name, const ImagesBase& train);

/// 28 x 28, or 32 x 32 x 3 where there is more than one channel.
std::string size_text(const MapShape& shape);

} // namespace hogwild
