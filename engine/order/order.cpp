#include "engine/order/order.h"

#include "kernels/lanes/dispatch.h"

#include <algorithm>

namespace hogwild {
namespace {

struct FillBody {
    template <class Lanes>
    static void run(const Permutation& permutation, std::uint32_t first, std::uint32_t stride, std::uint32_t count,
                    std::uint32_t* out) {
        permutation.fill(first, stride, count, out);
    }
};

using Fill = OnLanes<FillBody, const Permutation&, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t*>;

/// The permutation is arithmetic on independent lanes: the compiler vectorises it for each instruction set.
decltype(&Fill::scalar) fastest_fill() {
    switch (best_instruction_set()) {
    case InstructionSet::kAvx512: return Fill::avx512;
    case InstructionSet::kAvx2: return Fill::avx2;
    default: return Fill::scalar;
    }
}

bool permutes(std::string_view kind) { return choice_named(kOrderTraits, kind).permutes; }

constexpr std::uint64_t kResident = std::uint64_t{1} << 20; // bytes that stay in a core's own cache

} // namespace

bool orders_blocks(std::string_view kind, const AnyView& data) {
    constexpr std::uint64_t kFewBlocks = 64; // fewer would mix too little
    return permutes(kind) && data.tile_side() == 0 && data.bytes() > kResident &&
           data.rows() >= kFewBlocks * data.together();
}

bool orders_tiles(std::string_view kind, const AnyView& data) {
    return permutes(kind) && data.tile_side() > 1 && data.bytes() > kResident;
}

SampleOrder sample_order(std::string_view kind, const AnyView& data, std::uint64_t seed, bool streams) {
    const OrderKind meant = repeats(kind)               ? OrderKind::kReplacement
                            : !permutes(kind)           ? OrderKind::kStored
                            : orders_blocks(kind, data) ? OrderKind::kBlocks
                            : data.tiles().side > 0     ? OrderKind::kTiles
                                                        : OrderKind::kRows;
    const std::uint32_t together = streams ? SampleOrder::kBlock : data.together();
    return {meant, static_cast<std::uint32_t>(data.rows()), seed, together, data.tiles()};
}

SampleOrder single_order(std::string_view kind, std::uint32_t count, std::uint64_t seed) {
    const OrderKind meant = repeats(kind)    ? OrderKind::kReplacement
                            : permutes(kind) ? OrderKind::kRows
                                             : OrderKind::kStored;
    return {meant, count, seed, SampleOrder::kBlock, {}};
}

OrderCursor::OrderCursor(std::string_view kind, const AnyView& data, std::uint64_t seed, bool streams)
    : OrderCursor(sample_order(kind, data, seed, streams)) {}

OrderCursor::OrderCursor(const SampleOrder& order) : epoch_(order, 0) {
    if (epoch_.order().kind == OrderKind::kTiles) tiles_.emplace(epoch_.order(), 0);
}

void OrderCursor::go_to(std::uint32_t epoch) {
    if (epoch_.epoch() == epoch) return;
    epoch_ = EpochOrder(epoch_.order(), epoch);
    if (tiles_) tiles_.emplace(epoch_.order(), epoch);
}

void OrderCursor::fill(std::uint32_t epoch, std::uint32_t first, std::uint32_t stride, std::uint32_t count,
                       std::uint32_t* out) {
    static const auto permute = fastest_fill();
    go_to(epoch);
    if (epoch_.order().kind == OrderKind::kRows) {
        permute(epoch_.permutation(), first, stride, count, out);
    } else if (tiles_) {
        tiles_->fill(first, stride, count, out);
    } else {
        const CellOrder cell(epoch_, first / kBlock);
        if (cell.follows()) {
            for (std::uint32_t i = 0; i < count; ++i) out[i] = cell.first() + first % kBlock + i * stride;
        } else {
            for (std::uint32_t i = 0; i < count; ++i) out[i] = cell(first % kBlock + i * stride);
        }
    }
}

std::uint32_t OrderCursor::together_end(std::uint32_t epoch, std::uint32_t position) {
    if (tiles_) return tile(epoch, position).end();
    if (epoch_.order().kind != OrderKind::kBlocks) return position + 1;
    const std::uint32_t together = epoch_.order().together;
    return std::min((position / together + 1) * together, epoch_.order().rows);
}

TiledEpoch::Tile OrderCursor::tile(std::uint32_t epoch, std::uint32_t position) {
    go_to(epoch);
    return tiles_->at(position);
}

void fill(OrderCursor& cursor, std::uint32_t epoch, std::uint32_t first, std::uint32_t count, std::uint32_t* out) {
    while (count > 0) {
        const std::uint32_t piece = std::min(count, OrderCursor::kBlock - first % OrderCursor::kBlock);
        cursor.fill(epoch, first, 1, piece, out);
        first += piece;
        out += piece;
        count -= piece;
    }
}

} // namespace hogwild
