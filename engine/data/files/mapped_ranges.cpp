#include "engine/data/files/mapped_ranges.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

namespace hogwild {
namespace {

constexpr std::size_t kMostPath = 512; // bytes, with the last NUL

struct Range {
    std::atomic<bool> taken{false};
    std::atomic<std::uintptr_t> begin{0}; // 0: nobody is told of it
    std::atomic<std::size_t> size{0};
    std::array<char, kMostPath> path{};
};

constinit std::array<Range, kMostMappedRanges> ranges;

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

} // namespace

void note_mapped(const void* begin, std::size_t size, const char* path) {
    for (Range& range : ranges) {
        if (range.taken.exchange(true, std::memory_order_acquire)) continue;
        const std::size_t length = std::min(std::strlen(path), kMostPath - 1);
        std::memcpy(range.path.data(), path, length);
        range.path[length] = '\0';
        range.size.store(size, std::memory_order_relaxed);
        range.begin.store(number_of(begin), std::memory_order_release); // hands over size and path
        return;
    }
}

void forget_mapped(const void* begin) {
    for (Range& range : ranges) {
        if (range.begin.load(std::memory_order_relaxed) != number_of(begin)) continue;
        range.begin.store(0, std::memory_order_relaxed);
        range.taken.store(false, std::memory_order_release);
        return;
    }
}

const char* path_mapped_at(const void* address) {
    for (const Range& range : ranges) {
        const std::uintptr_t begin = range.begin.load(std::memory_order_acquire);
        const std::uintptr_t at = number_of(address);
        if (begin != 0 && at >= begin && at - begin < range.size.load(std::memory_order_relaxed))
            return range.path.data();
    }
    return nullptr;
}

} // namespace hogwild
