#include "engine/memory/pages.h"

#include "engine/error.h"
#include "engine/machine/limits/limits.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>

namespace hogwild {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kPage = 4096;

std::atomic<std::uint64_t> held_now{0}, held_at_most{0};

void count(std::uint64_t bytes) {
    const std::uint64_t now = held_now.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    std::uint64_t most = held_at_most.load(std::memory_order_relaxed);
    while (most < now && !held_at_most.compare_exchange_weak(most, now, std::memory_order_relaxed)) {}
}

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

} // namespace

Pages::Pages(std::size_t bytes) {
    map(bytes);
    hold(bytes);
}

Pages Pages::unfilled(std::size_t bytes) {
    Pages pages;
    pages.map(bytes);
    return pages;
}

void Pages::hold(std::size_t bytes) {
    const std::atomic_ref held(held_);
    std::size_t before = held.load(std::memory_order_relaxed);
    while (before < bytes && !held.compare_exchange_weak(before, bytes, std::memory_order_relaxed)) {}
    if (before < bytes) count(bytes - before);
}

void Pages::map(std::size_t bytes) {
    bytes_ = bytes;
    if (bytes == 0) return;
    // One spare huge page lets the block start on a 2 MiB boundary, a spare page lets a half of it start on one.
    // Untouched, they cost address space only.
    const std::size_t payload = bytes >= kHugePage ? round_up(bytes + kPage, kHugePage) : round_up(bytes, kPage);
    const std::size_t wanted = bytes >= kHugePage ? payload + kHugePage : payload;
    void* base = mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) {
        throw Error(fmt::format("cannot allocate {} bytes", bytes), reason_of(errno),
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
      mapped_(std::exchange(other.mapped_, 0)),
      held_(std::exchange(other.held_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
    std::swap(held_, other.held_);
    return *this;
}

Pages::~Pages() {
    if (data_ != nullptr) munmap(data_, mapped_);
    held_now.fetch_sub(held_, std::memory_order_relaxed);
}

Pages Pages::split_off(std::size_t bytes) {
    Pages rest;
    auto* const begin = static_cast<std::byte*>(data_);
    const std::size_t behind = bytes_ - bytes, at = round_up(bytes, kPage);
    if (behind > 0 && at > 0 && at + behind <= mapped_) {
        std::memmove(begin + at, begin + bytes, behind);
        rest.data_ = begin + at;
        rest.bytes_ = rest.held_ = behind;
        rest.mapped_ = std::exchange(mapped_, at) - at;
    } else if (behind > 0) {
        rest = Pages(behind);
        std::memcpy(rest.data_, begin + bytes, behind);
        held_now.fetch_sub(behind, std::memory_order_relaxed);
    }
    bytes_ = held_ = bytes;
    return rest;
}

std::uint64_t Pages::held() { return held_now.load(std::memory_order_relaxed); }

std::uint64_t Pages::most_held() { return held_at_most.load(std::memory_order_relaxed); }

void Pages::watch() { held_at_most.store(held(), std::memory_order_relaxed); }

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
    return std::min(huge_kib << 10, round_up(bytes_, kHugePage));
}

} // namespace hogwild
