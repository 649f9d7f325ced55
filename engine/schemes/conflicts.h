// Which samples may be stepped on side by side: those that touch no range of coordinates in common.
//
// Coordinates are cut into ranges: of ratings those of their tiles (engine/data/tiles.h), of edges the blocks of
// nodes of theirs (engine/data/edge_tiles.h), of other samples up to 1,024 of near-equal
// popularity. A run's samples are cut into pieces of up to 1,024, each with the ranges that it touches. Where an order keeps
// neighbours together and a piece may begin anywhere, the stored samples are cut once, before the clock, as soon as a piece
// would touch a third range; else a piece is four chunks (engine/timeline.h), whatever they touch.
// Thread-safety: one caller of `piece` at a time.
#pragma once

#include "engine/order.h"
#include "engine/timeline.h"
#include "kernels/any_view.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace hogwild {

class Conflicts {
public:
    static constexpr std::uint32_t kMostSamples = 1024; // of a piece

    /// Of a run in this order. `whole_chunks`: pieces begin and end with a chunk.
    Conflicts(const Timeline& timeline, std::string_view order, const AnyView& data, std::uint64_t seed,
              bool whole_chunks);

    std::uint32_t ranges() const { return ranges_; }

    /// Replaces `touched` by the ranges that the epoch's piece from position `first` on touches, each once; returns how many
    /// positions it has. None of them is at `end` or beyond. Precondition: a piece ends at `first`, and one at `end`.
    std::uint32_t piece(std::uint32_t epoch, std::uint32_t first, std::uint32_t end,
                        std::vector<std::uint32_t>& touched);

private:
    void cut();
    std::uint32_t stored_piece(std::uint32_t epoch, std::uint32_t first, std::uint32_t end,
                               std::vector<std::uint32_t>& touched);
    void add(std::uint32_t sample, std::vector<std::uint32_t>& touched);

    AnyView data_;
    OrderCursor cursor_;
    std::uint32_t chunks_; // samples of four chunks
    bool by_cells_;        // the 256 positions of a cell are the stored samples of one cell, in their order
    std::uint32_t ranges_ = 0;
    std::vector<std::uint32_t> range_of_group_;
    std::vector<std::uint32_t> run_begins_; // stored samples; behind the last, how many there are
    std::vector<std::vector<std::uint32_t>> run_touched_;
    std::vector<std::uint32_t> samples_;
};

} // namespace hogwild
