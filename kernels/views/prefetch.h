// Software prefetch: of the rows that come next, and of lines that will be written.
//
// Into the second-level cache, whose queue of misses is three times as long as the first level's. It pays even where rows
// are visited as stored: gathers leave the hardware's own prefetcher too few of the requests to keep the memory busy.
#pragma once

#include "kernels/views/sparse_view.h"

#include <cstdint>

namespace hogwild {

// Instructions, since gcc takes a function that does nothing but __builtin_prefetch for one without effect, and drops calls of it.

/// Asks for the line of `address`, into the second-level cache.
inline void prefetch_to_read(const void* address) {
#if defined(__x86_64__)
    asm volatile("prefetcht1 (%0)" ::"r"(address));
#else
    __builtin_prefetch(address, 0, 2);
#endif
}

/// Asks for the line of `address`, for this core alone.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
    asm volatile("prefetchw (%0)" ::"r"(address)); // the compiler's builtin may ask for a line to share
#else
    __builtin_prefetch(address, 1);
#endif
}

/// Runs ahead of a loop over `rows`: first for where a row lies, later for the row itself.
class RowPrefetch {
public:
    static constexpr std::uint32_t kOffsetsAhead = 32; // Chunk::kMostAhead of kernels/steps/steps.h
    static constexpr std::uint32_t kRowsAhead = 8;

    RowPrefetch(const SparseView& data, const std::uint32_t* rows, std::uint32_t count)
        : data_(data), rows_(rows), count_(count) {}

    /// Before the loop.
    void prime() const {
        for (std::uint32_t i = 0; i < kOffsetsAhead && i < count_; ++i) offsets(rows_[i]);
        for (std::uint32_t i = 0; i < kRowsAhead && i < count_; ++i) row(rows_[i]);
    }

    /// At the loop's i-th row.
    void at(std::uint32_t i) const {
        if (i + kOffsetsAhead < count_) offsets(rows_[i + kOffsetsAhead]);
        if (i + kRowsAhead < count_) row(rows_[i + kRowsAhead]);
    }

private:
    void offsets(std::uint64_t i) const {
        prefetch_to_read(data_.offsets + i);
        prefetch_to_read(data_.labels + i);
    }

    void row(std::uint64_t i) const {
        constexpr std::uint64_t kPerLine = 64 / sizeof(float);
        const std::uint64_t end = data_.offsets[i + 1];
        for (std::uint64_t k = data_.offsets[i]; k < end; k += kPerLine) {
            prefetch_to_read(data_.indices + k);
            prefetch_to_read(data_.values + k);
        }
    }

    const SparseView& data_;
    const std::uint32_t* rows_;
    std::uint32_t count_;
};

} // namespace hogwild
