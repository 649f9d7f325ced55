// The ceiling of a training step: a loop that only reads the rows and gathers their weights.
//
// It reads what serial SGD reads, through the same row loops (`Lanes::dot`) and, unless told otherwise, the same
// prefetch. It throws the margins away: no slope, no write.
#pragma once

#include "kernels/lanes/compute_anyway.h"
#include "kernels/lanes/dispatch.h"
#include "kernels/views/prefetch.h"
#include "kernels/views/sparse_view.h"

#include <array>
#include <cstdint>

namespace hogwild {

template <bool kPrefetch>
struct GatherBody {
    template <class Lanes>
    static void run(const SparseView& data, const std::uint32_t* rows, std::uint32_t count, const float* weights) {
        const RowPrefetch prefetch(data, rows, count);
        if constexpr (kPrefetch) prefetch.prime();
        for (std::uint32_t i = 0; i < count; ++i) {
            if constexpr (kPrefetch) prefetch.at(i);
            const SparseRow row = data.row(rows[i]);
            keep(Lanes::dot(weights, row));
            keep(row.label);
        }
    }
};

using Gather = void (*)(const SparseView&, const std::uint32_t*, std::uint32_t, const float*);

template <bool kPrefetch>
Gather gather_on(InstructionSet set) {
    using On = OnLanes<GatherBody<kPrefetch>, const SparseView&, const std::uint32_t*, std::uint32_t, const float*>;
    constexpr std::array<Gather, kInstructionSets> kGathers{On::scalar, On::avx2, On::avx512};
    return kGathers[static_cast<std::size_t>(set)];
}

} // namespace hogwild
