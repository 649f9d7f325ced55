#include "engine/memory/pages.h"

#include "engine/error.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>

namespace hogwild {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

Pages::Pages(std::size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    // One spare huge page lets the block start on a 2 MiB boundary; untouched, it costs address space only.
    const std::size_t payload = round_up(bytes, bytes >= kHugePage ? kHugePage : 4096);
    const std::size_t wanted = bytes >= kHugePage ? payload + kHugePage : payload;
    void* base = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) {
        throw Error(fmt::format("cannot allocate {} bytes", bytes), std::strerror(errno),
                    "use smaller data or a machine with more memory");
    }
    auto* begin = static_cast<std::byte*>(base);
    if (bytes >= kHugePage) {
        const auto address = reinterpret_cast<std::uintptr_t>(base);
        const std::size_t before = round_up(address, kHugePage) - address;
        const std::size_t after = wanted - before - payload;
        if (before > 0) munmap(begin, before);
        begin += before;
        if (after > 0) munmap(begin + payload, after);
        madvise(begin, payload, MADV_HUGEPAGE); // advice: a refusal costs speed only
    }
    data_ = begin;
    mapped_ = payload;
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
    return *this;
}

Pages::~Pages() {
    if (data_ != nullptr) munmap(data_, mapped_);
}

std::size_t Pages::huge_bytes() const {
    std::FILE* smaps = std::fopen("/proc/self/smaps", "r");
    if (smaps == nullptr) return 0;
    const auto first = reinterpret_cast<std::uintptr_t>(data_);
    const auto last = first + mapped_;
    std::size_t huge_kib = 0;
    bool inside = false;
    char line[512];
    while (std::fgets(line, sizeof line, smaps) != nullptr) {
        unsigned long begin = 0, end = 0, kib = 0;
        if (std::sscanf(line, "%lx-%lx ", &begin, &end) == 2) {
            inside = begin < last && end > first; // neighbours may have merged into one mapping
        } else if (inside && std::sscanf(line, "AnonHugePages: %lu kB", &kib) == 1) {
            huge_kib += kib;
        }
    }
    std::fclose(smaps);
    return std::min(huge_kib << 10, mapped_);
}

} // namespace hogwild
