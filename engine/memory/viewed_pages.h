// Memory with views: address ranges that share all of it but some ranges, which each view has of its own.
//
// Whoever computes with addresses data() + offset comes to memory of its own in those ranges and to everybody's
// elsewhere. No branch tells one from the other: the processor's page tables do. Own ranges are whole pages, or one
// front. A front ends where a page does and need not begin there, so it may be any number of cache lines. The block
// begins on a cache line.
// Pages are of 4 KiB on most systems: few grant huge ones to memory that is mapped more than once. A system has so many
// mappings for a process and no more (65,530 is Linux's usual), and a view takes two for each own range.
//
// Thread-safety: `view` from any thread. Outside own ranges, a view's addresses and the block's are the same memory.
// What is written by one is read by the other, and atomics are atomic across them. ThreadSanitizer takes them for
// different memory.
// Errors: Error where the system refuses memory.
#pragma once

#include <cstddef>
#include <vector>

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

/// The system's, in bytes.
std::size_t page_size();

/// Zeroed. Moves, never copies.
class ViewedPages {
public:
    struct Range {
        std::size_t begin, end; // bytes
    };

    ViewedPages() = default;

    /// `own`: rising, apart from one another, each of whole pages; or one that begins at 0, of whole cache lines. The last may end
    /// where the block does, and the block holds all of it, even where `bytes` is less.
    ViewedPages(const std::vector<Range>& own, std::size_t bytes);
    ViewedPages(ViewedPages&& other) noexcept;
    ViewedPages& operator=(ViewedPages&& other) noexcept;
    ViewedPages(const ViewedPages&) = delete;
    ViewedPages& operator=(const ViewedPages&) = delete;
    ~ViewedPages();

    void* data() const { return block_.begin() == nullptr ? nullptr : block_.begin() + lead_; }

    /// A view that begins where data() does; what it has of its own is zero. No page of what is shared faults later.
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
    std::size_t lead_ = 0;      // bytes of the first page that come before the block
    std::size_t all_ = 0;       // bytes, whole pages
    std::vector<Range> shared_; // bytes, whole pages, that all views share
    MappedRange block_;
};

} // namespace hogwild
