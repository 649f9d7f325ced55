// The tiles of a run's order. One is handed out as soon as those before it in its row and in its column of the grid are
// walked.
//
// Tiles with a row or a column in common are walked in serial's order, one after the other; the others touch nothing in
// common (engine/order/tiled_epoch.h). So the weights are those of serial, bit for bit. How far each row and each
// column of the grid has been walked says which tile is next and whether it may begin. So nothing is locked but a row,
// by who walks on it. A worker goes through rows of its own, which are few enough to lie in its caches. It helps with
// another's where that one has fallen behind all of its own. One worker alone walks serial's line.
//
//   stretch  the samples of one epoch, era and observation (engine/order/timeline.h); the next one begins once all of this one are walked
//
// Thread-safety: any worker at any time. Who is handed a piece sees what the workers of all pieces before it, with which it shares a
// row or a column, wrote.
#pragma once

#include "engine/order/timeline.h"
#include "kernels/views/sample_order.h"
#include "kernels/worker_context.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace hogwild {

class TileWindow {
public:
    static constexpr std::uint32_t kMostSamples = 1 << 14; // of a piece

    /// A tile, or a part of it.
    struct Piece {
        Positions positions{};
        std::uint32_t row = 0, column = 0;

        bool empty() const { return positions.count == 0; }
    };

    /// From sample `first` of the run on, with which a chunk begins. `order` goes by tiles.
    TileWindow(const Timeline& timeline, const SampleOrder& order, std::uint64_t first, unsigned workers);

    /// The first sample of the stretch that is handed out now; once all are walked, how many the run has.
    std::uint64_t stretch() const { return stretch_.load(std::memory_order_acquire); }

    /// A piece of the stretch that begins with this sample, for this worker. Empty: none is ready, or the stretch has changed.
    Piece claim(std::uint64_t stretch, unsigned worker);

    /// The piece is walked; whether that was the last one of its stretch: the next stretch has begun.
    bool done(const Piece& piece);

private:
    /// A tile with samples, at positions [first, end) of the epoch.
    struct Tile {
        std::uint32_t first, end, column;
        std::uint32_t after; // where the tile before it in its column ends; 0 of the first one
    };

    /// What a worker knows of the stretch.
    struct alignas(64) Worker {
        std::uint64_t stretch = ~std::uint64_t{0};
        std::uint64_t end = 0;   // of the stretch
        std::uint64_t begin = 0; // of the epoch
        std::uint32_t epoch = ~std::uint32_t{0};
        std::vector<Tile> tiles;           // of the epoch, row by row, each in the epoch's order
        std::vector<std::uint32_t> begins; // of each row in `tiles`; behind the last, how many there are
        std::uint32_t first_row, end_row;  // its own
        std::uint32_t turn;                // the own row to look at first
    };

    std::uint64_t end_of(std::uint64_t stretch) const;
    void reach(Worker& worker, std::uint64_t stretch) const;
    Piece take(const Worker& worker, std::uint32_t row);
    Piece along(std::uint64_t stretch) const;

    /// The run's sample that a row has been walked up to, and whether somebody walks on it.
    std::uint64_t walked(std::uint32_t row) const { return rows_[row].value.load(std::memory_order_relaxed) / 2; }

    const Timeline& timeline_;
    const SampleOrder order_;
    const std::uint64_t samples_; // of the run
    std::atomic<std::uint64_t> stretch_;
    PublishedCount left_;              // samples of the stretch
    std::vector<PublishedCount> rows_; // 2 x the run's sample up to which it is walked, + 1 while somebody walks on it
    std::vector<PublishedCount> columns_; // the run's sample up to which it is walked
    std::vector<Worker> workers_;
};

} // namespace hogwild
