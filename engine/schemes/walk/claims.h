// The run's line of chunks (engine/order/timeline.h), handed out: every chunk to exactly one worker, in order.
//
// CPU threads claim the chunks of samples that the order keeps together (kernels/views/sample_order.h): many of a tile,
// else mostly one. A stream claims a stretch at a time. Either way the claim hands every sample of an epoch to one
// worker, and balances the load between workers and between devices. It ties the step size and the L2 scale to the
// samples consumed by all.
// Thread-safety: any worker at any time.
#pragma once

#include "engine/order/timeline.h"
#include "kernels/worker_context.h"

#include <algorithm>
#include <cstdint>

namespace hogwild {

/// Chunks [begin, end).
struct Stretch {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool empty() const { return begin == end; }
};

class Claims {
public:
    /// From chunk `first` on.
    explicit Claims(const Timeline& timeline, std::uint64_t first = 0)
        : timeline_(timeline), chunks_(timeline.chunks()) {
        next_.value.store(first, std::memory_order_relaxed);
    }

    static constexpr std::uint64_t kMostTogether = 64; // chunks of a block

    /// The next chunks up to end_of(the first of them), 64 at most; within one epoch, one era and one observation. Empty: none is
    /// left.
    Stretch block(const auto& end_of) {
        return claim([&](std::uint64_t begin) { return std::min(end_of(begin), begin + kMostTogether); });
    }

    /// The next chunks: at most `most` (at least 1), within one epoch, one era and one observation. Empty: none is left.
    Stretch stretch(std::uint64_t most) {
        return claim([&](std::uint64_t begin) { return begin + most; });
    }

private:
    /// From the next chunk to end_of(it), or as far as a stretch goes.
    Stretch claim(const auto& end_of) {
        std::uint64_t begin = next_.value.load(std::memory_order_relaxed), end = 0;
        do {
            if (begin >= chunks_) return {};
            end = std::min(end_of(begin), timeline_.stretch_end(begin));
        } while (!next_.value.compare_exchange_weak(begin, end, std::memory_order_relaxed));
        return {begin, end};
    }

    const Timeline& timeline_;
    std::uint64_t chunks_;
    PublishedCount next_;
};

} // namespace hogwild
