#include "engine/data/images/cifar.h"

#include "engine/data/text/byte_source.h"
#include "engine/error.h"

#include <span>

#include <fmt/format.h>

namespace hogwild {
namespace {

constexpr MapShape kShape = CifarImages::kShape;
constexpr std::size_t kRecord = 1 + kShape.size();

void check_whole(const std::string& name, std::uint64_t bytes) {
    if (bytes == 0) throw Error(name + ": it holds no images", "it is empty", "check that it is the file you mean");
    if (bytes % kRecord == 0) return;
    throw Error(name + ": not in CIFAR-10's format",
                fmt::format("its {} bytes are no multiple of {}, a class and an image{}", bytes, kRecord,
                            bytes % (kRecord + 1) == 0 ? "; CIFAR-100 has two labels an image" : ""),
                "download or copy it again; a file of IDX's format has a name that does not end in .bin");
}

void append(CifarImages& images, std::span<const std::uint8_t> record, const std::string& name) {
    if (record[0] >= CifarImages::kClasses) {
        throw Error(fmt::format("{}: image {} has class {}", name, images.labels.size() + 1, record[0]),
                    "CIFAR-10 has the classes 0 to 9", "check that it is CIFAR-10's binary version");
    }
    images.labels.push_back(record[0]);
    for (std::uint32_t place = 0; place < kShape.places(); ++place) {
        for (std::uint32_t channel = 0; channel < kShape.channels; ++channel)
            images.pixels.push_back(record[1 + channel * kShape.places() + place]);
    }
}

} // namespace

CifarImages read_cifar(std::string_view stored, const std::string& name, const TextLimits& limits) {
    ByteSource source(stored, name, limits);
    CifarImages images;
    if (source.is_plain()) check_whole(name, source.plain_bytes());
    std::vector<std::uint8_t> records(256 * kRecord);
    for (std::size_t count = records.size(); count == records.size();) {
        count = source.read(records);
        for (std::size_t at = 0; at + kRecord <= count; at += kRecord)
            append(images, std::span(records).subspan(at, kRecord), name);
        if (images.pixels.size() <= limits.max_array_bytes) continue;
        throw Error(name + ": it does not fit into memory",
                    fmt::format("its images exceed the limit of {} bytes", limits.max_array_bytes),
                    "use a part of the file, or a machine with more memory");
    }
    check_whole(name, source.bytes());
    images.text_bytes = source.bytes();
    return images;
}

} // namespace hogwild
