// Source: NumPy's numpy.lib.format, version 1.0.
#include "experiments/model/model_formats.h"

#include "engine/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace hogwild {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kBeforeHeader = 10; // magic, two bytes of version, two of the header's length
constexpr const char* kTry = "write it with numpy.save(file, weights.astype(numpy.float32))";

/// What follows `key` in the header, up to `end`.
std::string_view value_of(std::string_view header, std::string_view key, char end) {
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = header.substr(at + key.size());
    return rest.substr(0, rest.find(end));
}

/// A key that stands twice, so that two readers may take two values of it; empty: none.
std::string_view twice(std::string_view header) {
    for (const std::string_view key : {"descr", "fortran_order", "shape"}) {
        if (header.find(key) != header.rfind(key)) return key;
    }
    return {};
}

/// Elements of a shape like "3," or "1, 3". 0 where a dimension is 0, or more than one is not 1.
std::uint64_t elements(std::string_view shape) {
    std::uint64_t count = 0;
    while (!shape.empty()) {
        const std::size_t comma = std::min(shape.find(','), shape.size());
        std::string_view part = shape.substr(0, comma);
        shape.remove_prefix(std::min(comma + 1, shape.size()));
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        if (part.empty() && shape.empty()) break; // after the last comma
        const auto size = parse_count(part);
        if (!size || *size == 0 || (count > 1 && *size != 1)) return 0;
        count = count == 0 ? *size : count * *size;
    }
    return count;
}

} // namespace

std::string npy_bytes(const Model& model) {
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}", model.weights.size());
    header.append(63 - (kBeforeHeader + header.size()) % 64, ' ') += '\n'; // data begin at a multiple of 64
    std::string bytes(kMagic);
    bytes += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    bytes += header;
    bytes.append(reinterpret_cast<const char*>(model.weights.data()), model.weights.size() * sizeof(float));
    return bytes;
}

Model read_npy(std::string_view bytes, const std::string& file) {
    if (bytes.size() < kBeforeHeader || !bytes.starts_with(kMagic)) {
        refuse_model(file, "it does not begin as a .npy file does", kTry);
    }
    if (bytes[6] != 1) refuse_model(file, fmt::format("it has version {} of the format, not 1", int{bytes[6]}), kTry);
    const std::size_t length = static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    if (bytes.size() - kBeforeHeader < length) refuse_model(file, "it ends within its header", "copy it again");
    const std::string_view header = bytes.substr(kBeforeHeader, length);
    if (const std::string_view key = twice(header); !key.empty())
        refuse_model(file, fmt::format("its header says '{}' twice", key), kTry);
    const std::string_view type = value_of(header, "'descr': '", '\''), shape = value_of(header, "'shape': (", ')');
    if (type != "<f4") refuse_model(file, fmt::format("its numbers are '{}', not '<f4'", type.substr(0, 40)), kTry);
    const std::uint64_t count = elements(shape);
    if (count == 0) refuse_model(file, fmt::format("its shape is ({}), not one dimension", shape.substr(0, 40)), kTry);
    const std::string_view data = bytes.substr(kBeforeHeader + length);
    if (data.size() % sizeof(float) != 0 || data.size() / sizeof(float) != count) {
        refuse_model(file, fmt::format("it holds {} bytes of {} weights", data.size(), count), "copy it again");
    }
    Model model;
    model.weights.resize(count);
    std::memcpy(model.weights.data(), data.data(), data.size());
    return model;
}

} // namespace hogwild
