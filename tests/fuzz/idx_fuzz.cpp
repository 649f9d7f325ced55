// The readers of images on arbitrary bytes: an Error, or an array that is written again as it was read.
#include "engine/data/images/cifar.h"
#include "engine/data/images/idx.h"
#include "engine/data/text/byte_source.h"
#include "tests/fuzz/laws.h"

#include <vector>

namespace {

using namespace hogwild;

/// All that the file holds.
std::string unpacked(std::string_view file, const TextLimits& limits) {
    ByteSource source(file, "fuzz", limits);
    std::string text;
    std::uint8_t byte = 0;
    while (source.read({&byte, 1}) == 1) text += static_cast<char>(byte);
    return text;
}

std::string written(const IdxArray& array) {
    std::string text{0, 0, 8, static_cast<char>(array.sizes.size())};
    for (const std::uint32_t size : array.sizes) {
        for (const int shift : {24, 16, 8, 0}) text += static_cast<char>(size >> shift);
    }
    return text.append(reinterpret_cast<const char*>(array.entries.data()), array.entries.size());
}

std::string written(const CifarImages& images) {
    constexpr MapShape kShape = CifarImages::kShape;
    std::string text;
    for (std::size_t i = 0; i < images.labels.size(); ++i) {
        text += static_cast<char>(images.labels[i]);
        for (std::uint32_t channel = 0; channel < kShape.channels; ++channel) {
            for (std::uint32_t place = 0; place < kShape.places(); ++place)
                text += static_cast<char>(images.pixels[i * kShape.size() + place * kShape.channels + channel]);
        }
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    for (const IdxKind kind : {IdxKind::kImages, IdxKind::kLabels}) {
        fuzz(bytes, size, [&](std::string_view file, TextLimits limits) {
            limits.max_array_bytes = 1 << 26;
            const IdxArray array = read_idx(file, "fuzz", kind, limits);
            demand(array.sizes.size() == (kind == IdxKind::kImages ? 3 : 1), "the dimensions that were asked for");
            std::uint64_t entries = 1;
            for (const std::uint32_t side : array.sizes) entries *= side;
            demand(entries > 0 && array.entries.size() == entries, "as many entries as the header says");
            demand(written(array) == unpacked(file, limits), "what was read is all that was there");
        });
    }
    return fuzz(bytes, size, [](std::string_view file, TextLimits limits) {
        limits.max_array_bytes = 1 << 26;
        const CifarImages images = read_cifar(file, "fuzz", limits);
        demand(!images.labels.empty(), "a file without images is refused");
        demand(images.pixels.size() == images.labels.size() * CifarImages::kShape.size(), "an image for each label");
        for (const std::uint8_t label : images.labels) demand(label < CifarImages::kClasses, "classes of CIFAR-10");
        demand(written(images) == unpacked(file, limits), "what was read is all that was there");
    });
}
