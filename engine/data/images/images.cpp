#include "engine/data/images/images.h"

#include "engine/data/files/mapped_file.h"
#include "engine/data/files/unchanged.h"
#include "engine/data/images/cifar.h"
#include "engine/data/images/idx.h"
#include "engine/error.h"
#include "engine/machine/content_hash.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace hogwild {
namespace {

/// Counts a file in; returns its hash.
std::uint64_t count(ImagesData& data, std::string& contents, const MappedFile& file) {
    data.file_bytes += file.size();
    const std::uint64_t hash = content_hash(file.text());
    contents += fmt::format("{:016x} ", hash);
    return hash;
}

std::uint32_t classes_of(const PageArray<std::uint8_t>& labels) {
    return std::max<std::uint32_t>(2, std::uint32_t{*std::ranges::max_element(labels.span())} + 1);
}

void read_idx_pair(ImagesData& data, std::string& contents, const ImageFiles& files, const TextLimits& limits) {
    const MappedFile image_file(files.images[0]), label_file(files.labels);
    const std::uint64_t images_hash = count(data, contents, image_file);
    const std::uint64_t labels_hash = count(data, contents, label_file);
    IdxArray labels = read_idx(label_file.text(), files.labels, IdxKind::kLabels, limits); // the small one first
    IdxArray images = read_idx(image_file.text(), files.images[0], IdxKind::kImages, limits);
    check_unchanged(files.images[0], image_file, images_hash);
    check_unchanged(files.labels, label_file, labels_hash);
    if (labels.sizes[0] != images.sizes[0]) {
        throw Error(fmt::format("{}: {} labels", files.labels, labels.sizes[0]),
                    fmt::format("{} holds {} images", files.images[0], images.sizes[0]),
                    "check that both files are of one set");
    }
    data.text_bytes = images.text_bytes + labels.text_bytes;
    data.arrays->shape = {images.sizes[1], images.sizes[2], 1};
    data.arrays->pixels = std::move(images.entries);
    data.arrays->labels = std::move(labels.entries);
    data.arrays->classes = classes_of(data.arrays->labels);
}

void read_batches(ImagesData& data, std::string& contents, const ImageFiles& files, TextLimits limits) {
    std::vector<CifarImages> batches;
    std::uint64_t rows = 0;
    for (const std::string& name : files.images) {
        const MappedFile file(name);
        const std::uint64_t hash = count(data, contents, file);
        batches.push_back(read_cifar(file.text(), name, limits));
        check_unchanged(name, file, hash);
        limits.max_array_bytes -= batches.back().pixels.size();
        rows += batches.back().labels.size();
        data.text_bytes += batches.back().text_bytes;
    }
    data.arrays = std::make_shared<ImagesArrays>(rows, CifarImages::kShape, 0);
    std::uint8_t *pixels = data.arrays->pixels.data(), *labels = data.arrays->labels.data();
    for (const CifarImages& batch : batches) {
        pixels = std::ranges::copy(batch.pixels, pixels).out;
        labels = std::ranges::copy(batch.labels, labels).out;
    }
    data.arrays->classes = classes_of(data.arrays->labels);
}

} // namespace

ImagesBase::ImagesBase(const ImagesView& images) : shape(images.shape) {
    for (std::uint64_t i = 0; i < images.rows; ++i) occurring.set(images.labels[i]);
}

ImagesData read_images(const ImageFiles& files, const TextLimits& limits) {
    ImagesData data;
    data.arrays = std::make_shared<ImagesArrays>();
    std::string contents = "images ";
    if (files.labels.empty())
        read_batches(data, contents, files, limits);
    else
        read_idx_pair(data, contents, files, limits);
    data.content_hash = content_hash(contents);
    return data;
}

void check_test(const ImagesArrays& test, const std::string& name, const ImagesBase& train) {
    if (test.shape != train.shape) {
        throw Error(fmt::format("{}: its images are of {}", name, size_text(test.shape)),
                    fmt::format("the training set's are of {}", size_text(train.shape)),
                    "test on images of the same size");
    }
    for (std::uint64_t i = 0; i < test.labels.size(); ++i) {
        if (train.occurring[test.labels[i]]) continue;
        throw Error(fmt::format("{}: image {} has class {}", name, i + 1, test.labels[i]),
                    "no image of the training set has it", "use a matching pair of sets");
    }
}

std::string size_text(const MapShape& shape) {
    const std::string sides = fmt::format("{} x {}", shape.height, shape.width);
    return shape.channels == 1 ? sides : fmt::format("{} x {}", sides, shape.channels);
}

} // namespace hogwild
