// Brings a row's elements into the second-level cache before somebody steps on them.
#pragma once

#include <cstdint>

namespace hogwild::device {

/// Elements [begin, begin + size) of arrays of 4-byte elements. By one lane; nothing waits.
template <class... Elements>
__device__ inline void fetch_ahead(std::uint64_t begin, std::uint32_t size, const Elements*... arrays) {
    constexpr std::uint32_t kLine = 32; // elements of 128 bytes
    const auto prefetch = [](const void* at) { asm volatile("prefetch.global.L2 [%0];" ::"l"(at)); };
    for (std::uint32_t k = 0; k < size + kLine; k += kLine) {
        const std::uint64_t at = begin + min(k, size);
        (prefetch(arrays + at), ...);
    }
}

} // namespace hogwild::device
