#include "engine/order.h"

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

} // namespace

bool orders_blocks(std::string_view kind, const AnyView& data) {
    constexpr std::uint64_t kResident = std::uint64_t{1} << 20; // bytes that stay in a core's own cache
    constexpr std::uint64_t kFewBlocks = 64;                    // fewer would mix too little
    return kind == "permutation" && data.bytes() > kResident && data.rows() >= kFewBlocks * data.together();
}

SampleOrder sample_order(std::string_view kind, const AnyView& data, std::uint64_t seed) {
    const OrderKind meant = kind == "stored"            ? OrderKind::kStored
                            : kind == "replacement"     ? OrderKind::kReplacement
                            : orders_blocks(kind, data) ? OrderKind::kBlocks
                                                        : OrderKind::kRows;
    return {meant, static_cast<std::uint32_t>(data.rows()), seed, data.together()};
}

void OrderCursor::fill(std::uint32_t epoch, std::uint32_t first, std::uint32_t stride, std::uint32_t count,
                       std::uint32_t* out) {
    static const auto permute = fastest_fill();
    if (epoch_.epoch() != epoch) epoch_ = EpochOrder(epoch_.order(), epoch);
    if (epoch_.order().kind == OrderKind::kRows) {
        permute(epoch_.permutation(), first, stride, count, out);
        return;
    }
    const CellOrder cell(epoch_, first / kBlock);
    if (cell.follows()) {
        for (std::uint32_t i = 0; i < count; ++i) out[i] = cell.first() + first % kBlock + i * stride;
        return;
    }
    for (std::uint32_t i = 0; i < count; ++i) out[i] = cell(first % kBlock + i * stride);
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
