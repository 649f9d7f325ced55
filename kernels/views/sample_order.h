// Which sample stands at which position of an epoch. It is a pure function of (kind, number of samples, seed, epoch,
// position), so the same for any number of workers, on any device.
//
//   rows          a permutation of all samples
//   blocks        a permutation of blocks of `together` neighbours, a multiple of 256. Each is entered at a random 256
//                 of them; a block of 256 itself at a random sample. The samples of an incomplete last block stay last
//                 (engine/order/order.h says when and why)
//   tiles         tile after tile, diagonal after diagonal of their grid (engine/order/tiled_epoch.h); on the host alone
//   replacement   each position draws a sample uniformly: Philox of (position, epoch)
//   stored        as the file has them
//
// Thread-safety: plain values.
#pragma once

#include "kernels/annotate.h"
#include "kernels/numbers/permutation.h"
#include "kernels/numbers/random.h"

#include <cstdint>

namespace hogwild {

enum class OrderKind : std::uint32_t { kRows, kBlocks, kTiles, kReplacement, kStored };

/// Samples stored tile by tile, side x side of them: tile (a, b) holds those from begins[a side + b] up to begins[a side + b + 1].
/// Samples of two tiles with different a and different b touch nothing in common.
struct TileGrid {
    const std::uint32_t* begins = nullptr; // side^2 + 1
    std::uint32_t side = 0;                // 0: there are no tiles
};

struct SampleOrder {
    static constexpr std::uint32_t kBlock = 256;

    OrderKind kind = OrderKind::kStored;
    std::uint32_t rows = 0;
    std::uint64_t seed = 0;
    std::uint32_t together = kBlock; // kBlocks
    TileGrid tiles{};                // kTiles

    /// Whole blocks.
    HOGWILD_HOST_DEVICE std::uint32_t blocks() const { return rows / together; }
};

/// One epoch of an order.
class EpochOrder {
public:
    HOGWILD_HOST_DEVICE EpochOrder(const SampleOrder& order, std::uint32_t epoch)
        : order_(order),
          epoch_(epoch),
          permutation_(order.kind == OrderKind::kBlocks ? order.blocks() : order.rows, order.seed, epoch) {}

    HOGWILD_HOST_DEVICE const SampleOrder& order() const { return order_; }
    HOGWILD_HOST_DEVICE std::uint32_t epoch() const { return epoch_; }

    /// It permutes samples, or blocks.
    HOGWILD_HOST_DEVICE const Permutation& permutation() const { return permutation_; }

private:
    SampleOrder order_;
    std::uint32_t epoch_;
    Permutation permutation_;
};

/// The 256 neighbouring positions [256 cell, 256 cell + 256) of an epoch. Borrows the epoch.
class CellOrder {
public:
    HOGWILD_HOST_DEVICE CellOrder(const EpochOrder& epoch, std::uint32_t cell)
        : epoch_(epoch), kind_(epoch.order().kind), first_(cell * SampleOrder::kBlock) {
        if (kind_ != OrderKind::kBlocks) return;
        const SampleOrder& order = epoch.order();
        const std::uint32_t cells = order.together / SampleOrder::kBlock; // of a block
        if (cell / cells == order.blocks()) {                             // the incomplete one
            kind_ = OrderKind::kStored;
            return;
        }
        const std::uint32_t place = epoch.permutation()(cell / cells);
        const PhiloxCounter words = philox({place, epoch.epoch(), kTurnStream, 0}, philox_key(order.seed));
        if (cells == 1) turn_ = words[0];
        first_ = place * order.together + (cell % cells + words[1] % cells) % cells * SampleOrder::kBlock;
    }

    /// Whether the samples at its positions follow one another as they are stored, and the first of them.
    HOGWILD_HOST_DEVICE bool follows() const {
        return kind_ == OrderKind::kStored || (kind_ == OrderKind::kBlocks && turn_ == 0);
    }
    HOGWILD_HOST_DEVICE std::uint32_t first() const { return first_; }

    /// The sample at the cell's position i < 256. Precondition: that position is below the number of samples.
    HOGWILD_HOST_DEVICE std::uint32_t operator()(std::uint32_t i) const {
        switch (kind_) {
        case OrderKind::kRows: return epoch_.permutation()(first_ + i);
        case OrderKind::kBlocks: return first_ + (i + turn_) % SampleOrder::kBlock;
        case OrderKind::kReplacement: {
            const SampleOrder& order = epoch_.order();
            const PhiloxCounter words =
                philox({first_ + i, epoch_.epoch(), kReplacementStream, 0}, philox_key(order.seed));
            return static_cast<std::uint32_t>(below(order.rows, (std::uint64_t{words[0]} << 32) | words[1]));
        }
        default: return first_ + i;
        }
    }

private:
    // These set the words of one use of the seed apart from those of others.
    static constexpr std::uint32_t kReplacementStream = 0x72706C63;
    static constexpr std::uint32_t kTurnStream = 0x7475726E;

    const EpochOrder& epoch_;
    OrderKind kind_;
    std::uint32_t first_; // of the positions, or of a block's samples
    std::uint32_t turn_ = 0;
};

} // namespace hogwild
