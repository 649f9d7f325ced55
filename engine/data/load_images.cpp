#include "engine/data/load_images.h"

#include "engine/data/images/images.h"
#include "engine/data/synthetic/synthetic.h"
#include "engine/data/synthetic/synthetic_images.h"
#include "engine/machine/content_hash.h"

#include <chrono>
#include <utility>

namespace hogwild {
namespace {

/// Generated images: what they are made from says what they are.
ImagesData generated(const ImagesRecipe& recipe) {
    ImagesData data;
    data.arrays = generate(recipe);
    data.content_hash =
        content_hash("hogwild images 1: " + to_string(recipe)); // the number changes with the bits of any
    return data;
}

} // namespace

Dataset load_images(const std::string& name, const LoadOptions& options, const TextLimits& limits, LoadReport& report) {
    const auto start = std::chrono::steady_clock::now();
    ImagesData data = is_synthetic(name) ? generated(parse_synthetic_images(name, options.seed))
                                         : read_images(image_files(name, options.train != nullptr), limits);
    if (options.train == nullptr) {
        report.images_base = ImagesBase(data.arrays->view());
    } else {
        report.images_base = options.train->images_base;
        check_test(*data.arrays, name, report.images_base);
    }
    report.file_bytes = data.file_bytes;
    report.text_bytes = data.text_bytes;
    report.parse_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const ImagesView view = data.arrays->view();
    return {name, data.content_hash, view, std::move(data.arrays)};
}

} // namespace hogwild
