#include "engine/schemes/conflicts/tile_window.h"

#include "engine/order/tiled_epoch.h"

#include <algorithm>
#include <span>

namespace hogwild {

TileWindow::TileWindow(const Timeline& timeline, const SampleOrder& order, std::uint64_t first, unsigned workers)
    : timeline_(timeline),
      order_(order),
      samples_(std::uint64_t{timeline.rows()} * timeline.epochs()),
      stretch_(first),
      rows_(order.tiles.side),
      columns_(order.tiles.side),
      workers_(workers) {
    left_.value = end_of(first) - first;
    for (PublishedCount& row : rows_) row.value = 2 * first;
    for (PublishedCount& column : columns_) column.value = first;
    for (std::uint64_t w = 0; w < workers; ++w) {
        workers_[w].turn = workers_[w].first_row = static_cast<std::uint32_t>(w * order.tiles.side / workers);
        workers_[w].end_row = static_cast<std::uint32_t>((w + 1) * order.tiles.side / workers);
    }
}

TileWindow::Piece TileWindow::claim(std::uint64_t stretch, unsigned worker) {
    if (this->stretch() != stretch) return {};
    if (workers_.size() == 1) return along(stretch);
    Worker& own = workers_[worker];
    if (own.stretch != stretch) reach(own, stretch);
    std::uint64_t least = own.end;
    for (std::uint32_t i = own.first_row; i < own.end_row; ++i) {
        const std::uint32_t row = own.turn;
        own.turn = row + 1 < own.end_row ? row + 1 : own.first_row;
        const Piece piece = take(own, row);
        if (!piece.empty()) return piece;
        least = std::min(least, walked(row));
    }
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
        if (walked(row) >= least) continue;
        const Piece piece = take(own, row);
        if (!piece.empty()) return piece;
    }
    return {};
}

TileWindow::Piece TileWindow::take(const Worker& worker, std::uint32_t row) {
    std::uint64_t state = rows_[row].value.load(std::memory_order_acquire);
    if (state % 2 == 1 || state / 2 >= worker.end) return {};
    const auto at = static_cast<std::uint32_t>(std::max(state / 2, worker.begin) - worker.begin);
    const std::span<const Tile> tiles(worker.tiles.data() + worker.begins[row],
                                      worker.begins[row + 1] - worker.begins[row]);
    const auto tile = std::ranges::upper_bound(tiles, at, {}, &Tile::end);
    if (tile == tiles.end()) return {};
    const std::uint32_t first = std::max(tile->first, at);
    if (worker.begin + first >= worker.end) return {};
    if (tile->after > 0 && columns_[tile->column].value.load(std::memory_order_acquire) < worker.begin + tile->after)
        return {};
    // Unchanged, it is still the row's next piece: the stretch does not end without it.
    if (!rows_[row].value.compare_exchange_strong(state, state + 1, std::memory_order_acquire,
                                                  std::memory_order_relaxed))
        return {};
    const auto last = static_cast<std::uint32_t>(std::min<std::uint64_t>(tile->end, worker.end - worker.begin));
    return {{worker.epoch, first, std::min(last - first, kMostSamples)}, row, tile->column};
}

/// The next samples of the run.
TileWindow::Piece TileWindow::along(std::uint64_t stretch) const {
    const std::uint64_t first = walked(0);
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(end_of(stretch) - first, kMostSamples));
    return {{static_cast<std::uint32_t>(first / timeline_.rows()), static_cast<std::uint32_t>(first % timeline_.rows()),
             count}};
}

bool TileWindow::done(const Piece& piece) {
    const Positions& at = piece.positions;
    const std::uint64_t end = std::uint64_t{at.epoch} * timeline_.rows() + at.first + at.count;
    columns_[piece.column].value.store(end, std::memory_order_release);
    rows_[piece.row].value.store(2 * end, std::memory_order_release);
    if (left_.value.fetch_sub(at.count, std::memory_order_acq_rel) != at.count) return false;
    const std::uint64_t begin = end_of(stretch());
    left_.value.store(end_of(begin) - begin, std::memory_order_relaxed);
    stretch_.store(begin, std::memory_order_release); // who goes on to it sees all weights before it
    return true;
}

std::uint64_t TileWindow::end_of(std::uint64_t stretch) const {
    if (stretch == samples_) return samples_;
    return timeline_.updates_after(timeline_.stretch_end(timeline_.chunk_of(stretch)) - 1);
}

void TileWindow::reach(Worker& worker, std::uint64_t stretch) const {
    worker.stretch = stretch;
    worker.end = end_of(stretch);
    const auto epoch = static_cast<std::uint32_t>(stretch / timeline_.rows());
    if (worker.epoch == epoch || stretch == samples_) return;
    worker.epoch = epoch;
    worker.begin = std::uint64_t{epoch} * timeline_.rows();
    const std::uint32_t side = order_.tiles.side;
    const TiledEpoch tiles(order_, epoch);
    worker.begins.assign(side + 1, 0);
    tiles.for_each([&](std::uint32_t row, std::uint32_t, std::uint32_t first, std::uint32_t end) {
        if (end > first) ++worker.begins[row + 1];
    });
    for (std::uint32_t row = 0; row < side; ++row) worker.begins[row + 1] += worker.begins[row];
    worker.tiles.resize(worker.begins[side]);
    std::vector<std::uint32_t> next(worker.begins.begin(), worker.begins.end() - 1), after(side, 0);
    tiles.for_each([&](std::uint32_t row, std::uint32_t column, std::uint32_t first, std::uint32_t end) {
        if (end == first) return;
        worker.tiles[next[row]++] = {first, end, column, after[column]};
        after[column] = end;
    });
}

} // namespace hogwild
