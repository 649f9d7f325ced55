#include "engine/memory/parameter_buffer.h"

#include "kernels/atomic.h"

#include <algorithm>

namespace hogwild {

ParameterBuffer::ParameterBuffer(std::uint32_t columns) : coordinates_(columns) {
    std::ranges::fill(coordinates_.span(), 0.0f); // no page fault on the clock
}

void ParameterBuffer::rescale(std::uint32_t begin, std::uint32_t end, float factor) {
    for (std::uint32_t j = begin; j < end; ++j) relaxed_store(coordinates_[j], relaxed_load(coordinates_[j]) * factor);
}

CoordinateRange slice(std::uint32_t coordinates, std::uint32_t part, std::uint32_t parts) {
    constexpr std::uint64_t kPerLine = 16;
    const std::uint64_t lines = (coordinates + kPerLine - 1) / kPerLine;
    const auto bound = [&](std::uint64_t p) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(lines * p / parts * kPerLine, coordinates));
    };
    return {bound(part), bound(part + 1)};
}

} // namespace hogwild
