// Memory with views: address ranges that share all of it but a front, which each view has of its own.
//
// Whoever computes with addresses data() + offset comes to memory of its own in the front and to everybody's behind it, and no
// branch tells one from the other: the processor's page tables do. The front ends where a page does, so it may be any number of
// cache lines; the block begins on a cache line.
// Pages are of 4 KiB: few systems grant huge ones to memory that is mapped more than once.
//
// Thread-safety: `view` from any thread. Behind the front, a view's addresses and the block's are the same memory: what is
// written by one is read by the other, and atomics are atomic across them. ThreadSanitizer takes them for different memory.
// Errors: Error where the system refuses memory.
#pragma once

#include <cstddef>

namespace hogwild {

/// Owns an address range. Moves, never copies.
class MappedRange {
public:
    MappedRange() = default;
    MappedRange(void* begin, std::size_t bytes) : begin_(static_cast<std::byte*>(begin)), bytes_(bytes) {}
    MappedRange(MappedRange&& other) noexcept;
    MappedRange& operator=(MappedRange&& other) noexcept;
    MappedRange(const MappedRange&) = delete;
    MappedRange& operator=(const MappedRange&) = delete;
    ~MappedRange();

    std::byte* begin() const { return begin_; }

private:
    std::byte* begin_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Zeroed. Moves, never copies.
class FrontedPages {
public:
    FrontedPages() = default;

    /// `front`: bytes, whole cache lines. The block holds all of the front, even where `bytes` is less.
    FrontedPages(std::size_t front, std::size_t bytes);
    FrontedPages(FrontedPages&& other) noexcept;
    FrontedPages& operator=(FrontedPages&& other) noexcept;
    FrontedPages(const FrontedPages&) = delete;
    FrontedPages& operator=(const FrontedPages&) = delete;
    ~FrontedPages();

    void* data() const { return block_.begin() == nullptr ? nullptr : block_.begin() + lead_; }

    /// A view that begins where data() does; its front is zero. No page of what is shared faults later.
    class View {
    public:
        View() = default;
        View(MappedRange range, std::size_t lead) : range_(static_cast<MappedRange&&>(range)), lead_(lead) {}

        void* data() const { return range_.begin() + lead_; }

    private:
        MappedRange range_;
        std::size_t lead_ = 0;
    };
    View view() const;

private:
    int file_ = -1;
    std::size_t lead_ = 0;  // bytes of the first page that come before the block
    std::size_t front_ = 0; // bytes, whole pages
    std::size_t all_ = 0;   // likewise, the front's included
    MappedRange block_;
};

} // namespace hogwild
