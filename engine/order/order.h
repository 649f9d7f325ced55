// Which sample stands at which position of an epoch. It is a pure function of (kind, data shape, seed, epoch,
// position), and so the same for any number of workers.
//
//   permutation   every sample once an epoch, in a new pseudo-random order
//   replacement   each position draws a sample uniformly: Philox of (seed, epoch, position)
//   stored        as the file has them
//
// A permutation of single rows makes every row's first lines miss every cache. On data larger than a cache, rows are
// therefore shuffled physically once (engine/data/shuffle.h). An epoch then permutes blocks of 256 neighbours and
// begins each block at a random one of its rows. The rows of an incomplete last block stay last. Smaller data are
// permuted row by row. Samples that reach to their neighbours, as windows of text do, stay where they are: their blocks
// alone are permuted. Blocks of edges are larger, for the sake of threads' caches. Where streams of a GPU step, blocks
// of edges are of 256 as all others. Tens of thousands of edges are in flight there, and those of one large block would
// be most edges of few nodes.
//
// Ratings are stored in tiles instead (engine/data/ratings/tiles.h), where CPU threads step on them, and an epoch goes through the
// tiles (engine/order/tiled_epoch.h).
//
// Thread-safety: immutable but for the cursor of each worker.
#pragma once

#include "engine/order/tiled_epoch.h"
#include "engine/plan/choice_rows.h"
#include "kernels/views/any_view.h"
#include "kernels/views/sample_order.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace hogwild {

/// Whether a sample may come again within an epoch, since it is drawn.
constexpr bool repeats(std::string_view kind) { return choice_named(kOrderTraits, kind).repeats; }

/// Whether order `kind` on data of this shape goes by blocks, and so wants rows that may be moved shuffled physically.
bool orders_blocks(std::string_view kind, const AnyView& data);

/// Whether order `kind` on data of this shape goes by tiles, and so wants them stored in tiles.
bool orders_tiles(std::string_view kind, const AnyView& data);

/// The order that `kind` (a name in kOrderTraits) means for data of this shape. `streams`: of a GPU step along it.
SampleOrder sample_order(std::string_view kind, const AnyView& data, std::uint64_t seed, bool streams = false);

/// The order that `kind` means for so many things of which none is better kept beside another.
SampleOrder single_order(std::string_view kind, std::uint32_t count, std::uint64_t seed);

class OrderCursor {
public:
    static constexpr std::uint32_t kBlock = SampleOrder::kBlock;

    explicit OrderCursor(const SampleOrder& order);
    OrderCursor(std::string_view kind, const AnyView& data, std::uint64_t seed, bool streams = false);

    /// out[i] = sample at position first + i * stride of the epoch, i < count; the positions lie within one block of 256.
    void fill(std::uint32_t epoch, std::uint32_t first, std::uint32_t stride, std::uint32_t count, std::uint32_t* out);

    /// One past the last position that the order keeps together with this one: a block's, a tile's, or its own.
    std::uint32_t together_end(std::uint32_t epoch, std::uint32_t position);

    /// The tile that holds a position. Precondition: the order goes by tiles.
    TiledEpoch::Tile tile(std::uint32_t epoch, std::uint32_t position);

private:
    void go_to(std::uint32_t epoch);

    EpochOrder epoch_;
    std::optional<TiledEpoch> tiles_;
};

/// The same for any number of neighbouring positions first, first + 1, ...
void fill(OrderCursor& cursor, std::uint32_t epoch, std::uint32_t first, std::uint32_t count, std::uint32_t* out);

} // namespace hogwild
