// Which samples may be stepped on side by side: those that touch no range of coordinates in common.
//
// A run's samples are cut into pieces of four chunks (engine/order/timeline.h), each with the ranges that it touches, of 1,024 of near-equal
// popularity.
// Thread-safety: one caller of `piece` at a time.
#pragma once

#include "engine/order/order.h"
#include "engine/order/timeline.h"
#include "kernels/views/any_view.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hogwild {

class Conflicts {
public:
    static constexpr std::uint32_t kRanges = 1024;
    static constexpr std::uint32_t kMostSamples = 4 * Timeline::kCell; // of a piece

    /// For a run in this order.
    Conflicts(const Timeline& timeline, std::string_view order, const AnyView& data, std::uint64_t seed);

    /// Replaces `touched` by the ranges that the epoch's piece from position `first` on touches, each once; returns how many positions
    /// it has. None of them is at `end` or beyond. Precondition: a piece ends at `first`, and one at `end`.
    std::uint32_t piece(std::uint32_t epoch, std::uint32_t first, std::uint32_t end,
                        std::vector<std::uint32_t>& touched);

private:
    AnyView data_;
    std::uint64_t seed_;
    OrderCursor cursor_;
    std::uint32_t chunks_; // samples of four chunks
    std::vector<std::uint32_t> range_of_group_;
    std::vector<std::uint64_t> listed_; // for each range, the call that listed it last
    std::uint64_t call_ = 0;
    std::vector<std::uint32_t> samples_;
};

} // namespace hogwild
