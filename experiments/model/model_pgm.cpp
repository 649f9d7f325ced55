// Source: netpbm's pgm(5), the binary form.
#include "experiments/model/model_formats.h"

#include "engine/error.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>

namespace hogwild {

ImageSize parse_image_size(const std::string& text) {
    ImageSize size;
    const char* const end = text.data() + text.size();
    const auto [times, no_width] = std::from_chars(text.data(), end, size.width);
    const bool has_height = no_width == std::errc{} && times != end && *times == 'x';
    const auto [rest, no_height] = std::from_chars(has_height ? times + 1 : end, end, size.height);
    if (no_height != std::errc{} || rest != end)
        throw Error(Failure::kUsage, "--grid " + text + " is no size", "it is WIDTHxHEIGHT", "try --grid 64x64");
    return size;
}

ImageSize image_size(const std::string& text, std::uint64_t nodes) {
    if (text.empty()) {
        const auto side = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(nodes))));
        if (side * side == nodes) return {side, side};
        throw Error(Failure::kUsage, "the image's width and height are not known",
                    fmt::format("{} free nodes are no square", nodes), "add --grid WxH");
    }
    const ImageSize size = parse_image_size(text);
    if (size.width == 0 || nodes % size.width != 0 || nodes / size.width != size.height) {
        throw Error(Failure::kUsage, fmt::format("--grid {} does not fit", text),
                    fmt::format("the graph has {} free nodes", nodes), "name the size of its image");
    }
    return size;
}

std::string pgm_bytes(const Model& model) {
    std::string bytes = fmt::format("P5\n{} {}\n255\n", model.image.width, model.image.height);
    const unsigned last = model.class_count > 1 ? model.class_count - 1 : 1;
    for (const std::uint16_t each : model.classes) bytes += static_cast<char>(255 - 255u * each / last);
    return bytes;
}

Model read_pgm(std::string_view, const std::string& file) {
    refuse_model(file, "it is an image of a cut, not its weights", "save the cut as .npy too");
}

} // namespace hogwild
