// Chunks of steps that neither scale nor decay weights. For tests.
#pragma once

#include "kernels/steps/steps.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace hogwild {

/// Steps on these samples or coordinates, which it borrows.
inline Chunk chunk_of(const std::vector<std::uint32_t>& samples, double step = 1) {
    Chunk chunk{};
    chunk.samples = samples.data();
    chunk.count = static_cast<std::uint32_t>(samples.size());
    chunk.step = step;
    return chunk;
}

/// 0, 1, ..., count - 1.
inline std::vector<std::uint32_t> in_order(std::uint64_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

} // namespace hogwild
