#include "engine/order.h"

#include "kernels/lanes/dispatch.h"
#include "kernels/random.h"

#include <algorithm>

namespace hogwild {
namespace {

// These set the words of one use of the seed apart from those of others.
constexpr std::uint32_t kReplacementStream = 0x72706C63;
constexpr std::uint32_t kTurnStream = 0x7475726E;

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

bool orders_blocks(std::string_view kind, const SparseView& data) {
    constexpr std::uint64_t kResident = std::uint64_t{1} << 20; // bytes that stay in a core's own cache
    constexpr std::uint64_t kFewBlocks = 64;                    // fewer would mix too little
    const std::uint64_t bytes = data.nonzeros() * (sizeof(float) + sizeof(std::uint32_t));
    return kind == "permutation" && bytes > kResident && data.rows >= kFewBlocks * OrderCursor::kBlock;
}

OrderCursor::OrderCursor(std::string_view kind, const SparseView& data, std::uint64_t seed)
    : kind_(kind == "stored"            ? Kind::kStored
            : kind == "replacement"     ? Kind::kReplacement
            : orders_blocks(kind, data) ? Kind::kBlocks
                                        : Kind::kRows),
      rows_(static_cast<std::uint32_t>(data.rows)),
      seed_(seed) {
    begin(0);
}

void OrderCursor::begin(std::uint32_t epoch) {
    epoch_ = epoch;
    permutation_.emplace(kind_ == Kind::kBlocks ? rows_ / kBlock : rows_, seed_, epoch);
}

void OrderCursor::fill(std::uint32_t epoch, std::uint32_t first, std::uint32_t stride, std::uint32_t count,
                       std::uint32_t* out) {
    static const auto permute = fastest_fill();
    if (epoch_ != epoch) begin(epoch);
    switch (kind_) {
    case Kind::kStored:
        for (std::uint32_t i = 0; i < count; ++i) out[i] = first + i * stride;
        break;
    case Kind::kReplacement:
        for (std::uint32_t i = 0; i < count; ++i) {
            const PhiloxCounter words = philox({first + i * stride, epoch, kReplacementStream, 0}, philox_key(seed_));
            out[i] = static_cast<std::uint32_t>(below(rows_, (std::uint64_t{words[0]} << 32) | words[1]));
        }
        break;
    case Kind::kRows: permute(*permutation_, first, stride, count, out); break;
    case Kind::kBlocks: {
        const std::uint32_t block = first / kBlock;
        if (block == rows_ / kBlock) { // the incomplete one
            for (std::uint32_t i = 0; i < count; ++i) out[i] = first + i * stride;
            break;
        }
        const std::uint32_t place = (*permutation_)(block);
        const std::uint32_t turn = philox({place, epoch, kTurnStream, 0}, philox_key(seed_))[0];
        for (std::uint32_t i = 0; i < count; ++i) out[i] = place * kBlock + (first + i * stride + turn) % kBlock;
        break;
    }
    }
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
